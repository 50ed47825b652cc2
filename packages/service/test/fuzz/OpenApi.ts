/** The part of JSON Schema that the contract uses. */
export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<JsonSchema>
  readonly oneOf?: ReadonlyArray<JsonSchema>
  readonly allOf?: ReadonlyArray<JsonSchema>
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly pattern?: string
  readonly format?: string
}

export interface Parameter {
  readonly name: string
  readonly in: "path" | "query" | "header"
  readonly required?: boolean
  readonly schema: JsonSchema
}

type Content = Readonly<Record<string, { readonly schema: JsonSchema }>>

interface DeclaredOperation {
  readonly operationId: string
  readonly tags?: ReadonlyArray<string>
  readonly parameters?: ReadonlyArray<Parameter>
  readonly requestBody?: { readonly content: Content }
  readonly security?: ReadonlyArray<object>
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

/** An OpenAPI document as served. */
export interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DeclaredOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> }
}

/** An operation of the document, with its path and method. */
export interface Operation extends DeclaredOperation {
  readonly method: string
  /** With parameters in braces. */
  readonly path: string
  /** The subject of its values: operations of one tag share it. */
  readonly subject: string
}

/** Every operation that the document declares. */
export const operationsOf = (document: OpenApiDocument): ReadonlyArray<Operation> =>
  Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      ...{ path, method: method.toUpperCase(), subject: operation.tags?.[0] ?? "" },
    })),
  )

/** The schema that a reference points to. */
export const resolved = (document: OpenApiDocument, schema: JsonSchema): JsonSchema => {
  if (schema.$ref === undefined) return schema
  const name = schema.$ref.replace("#/components/schemas/", "")
  return resolved(document, document.components.schemas[name]!)
}

const braces = /\{\w+\}/g

/** Whether a path, as sent, belongs to the operation; its parameters are not empty. */
export const isPathOf = (operation: Operation, path: string): boolean => {
  const pattern = operation.path.replaceAll(/[.]/g, "\\.").replaceAll(braces, "[^/]+")
  return new RegExp(`^${pattern}$`).test(path)
}
