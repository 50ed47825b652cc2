import type { OpenApi } from "effect/http-api"

const HINT =
  "In a test request, an optional parameter is sent when its box is ticked. Each `id` is one of your own tokens, records or swaps, from the answer that made it or a list. An upload needs a file: choose a file first."

/** Empty and not ticked in the form, and so left out of the request. */
const UNTICKED = { "x-disabled": true }

/** A parameter of a document, with an example of a value where it has one. */
type Parameter = OpenApi.OpenAPISpecParameter & { readonly example?: unknown }

interface Media {
  readonly schema?: { readonly properties?: Readonly<Record<string, { readonly format?: string }>> }
  readonly examples?: Readonly<Record<string, { readonly value?: Readonly<Record<string, unknown>> }>>
}

/**
 * The document as a page to try it needs it. Scalar fills in what it can for each parameter, the first of its values if nothing else, and
 * sends all of it: a list would come filtered. Here what is optional begins without a value, and what is required with its example.
 */
export const documentToTry = (document: OpenApi.OpenAPISpec): OpenApi.OpenAPISpec => ({
  ...document,
  // Scalar would ask for the secret of the webhook at every operation.
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
  // A secret is a parameter like any other, for the reader to fill in.
  const secrets = security.flatMap(Object.keys).flatMap((name): ReadonlyArray<Parameter> => {
    const scheme = schemes[name]
    if (scheme?.type !== "apiKey") return []
    const { description = "", in: place, name: header } = scheme
    return [{ name: header, in: place, required: true, schema: { type: "string" }, description, example: "" }]
  })
  // A parameter's value is looked for by the name of the example that is shown of the body.
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
        // Ids are those of the service that made them: none would be found here.
        const value = parameter.in === "path" && parameter.name === "id" ? "" : example
        return value === undefined ? parameter : { ...parameter, ...examplesOf({ value }) }
      }
      // The code that is shown for a request leaves out texts in a query that stand for objects, and headers without a schema.
      const { schema, ...rest } = parameter
      return parameter.in === "query"
        ? { ...parameter, style: "deepObject", ...examplesOf(UNTICKED) }
        : { description: "description" in schema ? schema.description : undefined, ...rest, ...examplesOf(UNTICKED) }
    }),
  }
}

/** Scalar sends a form only where the example is a list of fields, and JSON otherwise. A file is for the reader to choose. */
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
