import type { OpenApi } from "effect/http-api"

const HINT = "In a test request, an optional parameter is sent when its box is ticked."

/** Empty and not ticked in the form, and so left out of the request. */
const UNTICKED = { "x-disabled": true }

/** A parameter of a document, with an example of a value where it has one. */
type Parameter = OpenApi.OpenAPISpecParameter & { readonly example?: unknown }

type Bodies = Readonly<Record<string, { readonly examples?: object }>>

/**
 * The document as a page to try it needs it. Scalar fills in what it can for each parameter, the first of its values if nothing else, and
 * sends all of it: a list would come filtered. Here what is optional begins without a value, and what is required with its example.
 */
export const documentToTry = (document: OpenApi.OpenAPISpec): OpenApi.OpenAPISpec => ({
  ...document,
  info: { ...document.info, description: [document.info.description, HINT].filter(Boolean).join("\n\n") },
  paths: mapValues(document.paths, (item) =>
    mapValues(item, (operation) => ("operationId" in operation ? operationToTry(operation) : operation)),
  ) as OpenApi.OpenAPISpecPaths,
})

const operationToTry = (operation: OpenApi.OpenAPISpecOperation): object => {
  // A parameter's value is looked for by the name of the example that is shown of the body.
  const bodies = Object.values((operation.requestBody?.content ?? {}) as Bodies)
  const names = ["default", ...bodies.flatMap(({ examples = {} }) => Object.keys(examples))]
  const examplesOf = (example: object) => ({ examples: Object.fromEntries(names.map((name) => [name, example])) })
  return {
    ...operation,
    parameters: operation.parameters.map(({ example, ...parameter }: Parameter) => {
      if (parameter.required)
        return example === undefined ? parameter : { ...parameter, ...examplesOf({ value: example }) }
      // The code that is shown for a request leaves out texts in a query that stand for objects, and headers without a schema.
      const { schema, ...rest } = parameter
      return parameter.in === "query"
        ? { ...parameter, style: "deepObject", ...examplesOf(UNTICKED) }
        : { description: "description" in schema ? schema.description : undefined, ...rest, ...examplesOf(UNTICKED) }
    }),
  }
}

const mapValues = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]))
