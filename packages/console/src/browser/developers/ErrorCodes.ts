/** An error code of the API. */
export interface ErrorCode {
  readonly code: string
  /** HTTP statuses. */
  readonly statuses: ReadonlyArray<string>
  /** When it is answered, in a sentence or two. */
  readonly meaning: string
  /** Its facts: name and meaning of each field of `details`. */
  readonly details: ReadonlyArray<string>
  /** Method and path. */
  readonly operations: ReadonlyArray<string>
}

interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly oneOf?: ReadonlyArray<Schema>
  readonly enum?: ReadonlyArray<string>
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Response {
  readonly $ref?: string
  readonly description?: string
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>
}

interface Operation {
  readonly responses?: Readonly<Record<string, Response>>
}

/** The parts of an OpenAPI document that have errors. */
export interface ErrorDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>
    readonly responses?: Readonly<Record<string, Response>>
  }
}

const PREFIX = "#/components/schemas/"
const RESPONSES = "#/components/responses/"

/** The status of a code within a `default` response, which names all of them: "400: `code`; 429: `other_code`". */
const statusWithin = ({ description = "" }: Response, code: string): string =>
  description
    .split("; ")
    .find((part) => part.includes(`\`${code}\``))
    ?.match(/\d{3}/)?.[0] ?? ""

const factsOf = ({ properties }: Schema): ReadonlyArray<string> =>
  Object.entries(properties?.details?.properties ?? {}).map(([name, schema]) =>
    schema?.description === undefined ? name : `${name}: ${schema.description}`,
  )

/** All error codes, with the operations that answer them. */
export const errorCodes = ({ components, paths }: ErrorDocument): ReadonlyArray<ErrorCode> => {
  const found = new Map<
    string,
    { statuses: Set<string>; meaning: string; details: ReadonlyArray<string>; operations: Set<string> }
  >()
  const resolved = (schema: Schema): ReadonlyArray<Schema> => {
    if (schema.oneOf !== undefined) return schema.oneOf.flatMap(resolved)
    const named =
      schema.$ref?.startsWith(PREFIX) === true ? components.schemas[schema.$ref.slice(PREFIX.length)] : schema
    return named === undefined ? [] : [named]
  }
  for (const [path, methods] of Object.entries(paths))
    for (const [method, { responses = {} }] of Object.entries(methods))
      for (const [status, { $ref = "", ...own }] of Object.entries(responses)) {
        if (status < "400") continue
        const response = components.responses?.[$ref.slice(RESPONSES.length)] ?? own
        for (const one of resolved(response.content?.["application/json"]?.schema ?? {}))
          for (const code of one.properties?.code?.enum ?? []) {
            const known = found.get(code) ?? {
              ...{ statuses: new Set(), operations: new Set() },
              ...{ meaning: one.description ?? "", details: factsOf(one) },
            }
            known.statuses.add(status === "default" ? statusWithin(response, code) : status)
            known.operations.add(`${method.toUpperCase()} ${path}`)
            found.set(code, known)
          }
      }
  return [...found]
    .map(([code, { details, meaning, operations, statuses }]) => ({
      ...{ code, meaning, details },
      statuses: [...statuses].sort(),
      operations: [...operations].sort(),
    }))
    .sort((a, b) => (a.code < b.code ? -1 : 1))
}

/** Those whose code, status, meaning, details or operations have all the words. */
export const matching = (codes: ReadonlyArray<ErrorCode>, text: string): ReadonlyArray<ErrorCode> => {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  return codes.filter(({ code, details, meaning, operations, statuses }) => {
    const all = [code, meaning, ...details, ...statuses, ...operations].join(" ").toLowerCase()
    return words.every((word) => all.includes(word))
  })
}
