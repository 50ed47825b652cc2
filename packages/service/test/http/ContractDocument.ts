import { eachObject } from "@launch-registry/domain/http/PlainSchemas"
import { declaredDocument } from "../../fixtures/OpenApiExamples.ts"

export type Json = Readonly<Record<string, unknown>>

/** JSON Schema, as far as tests inspect it. */
export type Schema = Json & {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly description?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: Schema
  readonly prefixItems?: ReadonlyArray<Schema>
  readonly additionalProperties?: Schema | boolean
  readonly allOf?: ReadonlyArray<Schema>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
}

export interface Parameter {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly description?: string
  readonly example?: unknown
  readonly schema: Schema
}

export type Content = Readonly<
  Record<
    string,
    Json & {
      readonly schema: Schema
      readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>
    }
  >
>

export interface Response {
  readonly description: string
  readonly headers?: Json
  readonly content?: Content
}

export interface Operation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, Response>>
}

export const document = declaredDocument as {
  readonly info: { readonly description?: string }
  readonly tags: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}
export const { schemas } = document.components
export const operations = Object.entries(document.paths).flatMap(([path, ofPath]) =>
  Object.entries(ofPath).map(([method, operation]) => ({ ...operation, path, method, shown: `${method} ${path}` })),
)

export const nameIn = ({ $ref }: Json): string => (typeof $ref === "string" ? $ref.split("/").at(-1)! : "")

/** Names of the components reachable from `value`. */
export const reached = (value: unknown, names = new Set<string>()): ReadonlySet<string> => {
  eachObject(value, (object) => {
    const name = nameIn(object)
    if (name in schemas && !names.has(name)) reached(schemas[name], names.add(name))
  })
  return names
}

/** The operation of this id. */
export const operationOf = (id: string): Operation => operations.find(({ operationId }) => operationId === id)!
