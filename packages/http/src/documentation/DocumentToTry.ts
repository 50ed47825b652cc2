import type { OpenApi } from "effect/http-api"

const HINT =
  "In a test request, optional parameters are sent if ticked. Each `id` is that of one of your own tokens, records or swaps, from the response that created it or a list. Choose a file before an upload."

/** Empty and not ticked in the form, so not sent. */
const UNTICKED = { "x-disabled": true }

/** A parameter with an optional example. */
type Parameter = OpenApi.OpenAPISpecParameter & { readonly example?: unknown }

interface Media {
  readonly schema?: { readonly properties?: Readonly<Record<string, { readonly format?: string }>> }
  readonly examples?: Readonly<Record<string, { readonly value?: Readonly<Record<string, unknown>> }>>
}

/**
 * The document for Scalar's test requests. Scalar prefills every parameter and sends all of them, so that lists would
 * be filtered. Here optional parameters start empty, and required ones with their example.
 */
export const documentToTry = (document: OpenApi.OpenAPISpec): OpenApi.OpenAPISpec => ({
  ...document,
  // Scalar would ask for the webhook secret at every operation.
  components: { ...document.components, securitySchemes: {} },
  info: { ...document.info, description: [document.info.description, HINT].filter(Boolean).join("\n\n") },
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) =>
      "operationId" in operation ? operationToTry(operation, document.components.securitySchemes) : operation,
    ),
  ) as OpenApi.OpenAPISpecPaths,
})

const operationToTry = (
  { security, ...operation }: OpenApi.OpenAPISpecOperation,
  schemes: OpenApi.OpenAPIComponents["securitySchemes"],
): object => {
  const isOptional = security.some((schemesOfOne) => Object.keys(schemesOfOne).length === 0)
  // A secret becomes a regular parameter, to be filled in.
  const secrets = security.flatMap(Object.keys).flatMap((name): ReadonlyArray<Parameter> => {
    const scheme = schemes[name]
    if (scheme?.type !== "apiKey") return []
    const { description = "", in: place, name: header } = scheme
    return [{ name: header, in: place, required: !isOptional, schema: { type: "string" }, description, example: "" }]
  })
  // Scalar looks up the value of a parameter by the name of the selected body example.
  const content = (operation.requestBody?.content ?? {}) as Readonly<Record<string, Media>>
  const names = ["default", ...Object.values(content).flatMap(({ examples = {} }) => Object.keys(examples))]
  const examplesOf = (example: object) => ({ examples: Object.fromEntries(names.map((name) => [name, example])) })
  return {
    ...operation,
    ...(operation.requestBody && {
      requestBody: {
        ...operation.requestBody,
        content: mapValues(content, (media, type) => (type === "multipart/form-data" ? formToTry(media) : media)),
      },
    }),
    parameters: [...operation.parameters, ...secrets].map(({ example, ...parameter }: Parameter) => {
      if (parameter.required) {
        // Ids of the examples do not exist on this service.
        const value = parameter.in === "path" && parameter.name === "id" ? "" : example
        return value === undefined ? parameter : { ...parameter, ...examplesOf({ value }) }
      }
      // Scalar's code samples omit query parameters with deepObject style, and headers without a schema.
      const { schema, ...rest } = parameter
      return parameter.in === "query"
        ? { ...parameter, style: "deepObject", ...examplesOf(UNTICKED) }
        : { description: "description" in schema ? schema.description : undefined, ...rest, ...examplesOf(UNTICKED) }
    }),
  }
}

/** Scalar sends a form only if its example is a list of fields, otherwise JSON. The file is left to the reader. */
const formToTry = ({ examples = {}, ...media }: Media): object => ({
  ...media,
  examples: mapValues(examples, ({ value = {}, ...example }) => ({
    ...example,
    value: Object.entries(media.schema?.properties ?? {}).map(([name, { format }]) => ({
      name,
      value: format === "binary" ? "" : (value[name] ?? ""),
    })),
  })),
})

const mapValues = <A, B>(
  record: Readonly<Record<string, A>>,
  change: (value: A, key: string) => B,
): Record<string, B> => Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
