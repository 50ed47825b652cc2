/** TypeScript types of the JSON Schemas in openapi.json. */

export interface Schema {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly enum?: ReadonlyArray<unknown>
  readonly anyOf?: ReadonlyArray<Schema>
  readonly oneOf?: ReadonlyArray<Schema>
  readonly allOf?: ReadonlyArray<Schema>
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: ReadonlyArray<string>
  readonly additionalProperties?: boolean | Schema
  readonly description?: string
}

export const quoted = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name))

const comment = (text: string | undefined, indent: string) =>
  text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ")} */\n`

const objectType = ({ additionalProperties, properties = {}, required = [] }: Schema, indent: string): string => {
  const fields = Object.entries(properties).map(
    ([name, schema]) =>
      `${comment(schema.description, `${indent}  `)}${indent}  readonly ${quoted(name)}${required.includes(name) ? "" : "?"}: ${jsonType(schema, `${indent}  `)}\n`,
  )
  if (fields.length > 0) return `{\n${fields.join("")}${indent}}`
  if (typeof additionalProperties === "object")
    return `Readonly<Record<string, ${jsonType(additionalProperties, indent)}>>`
  return "Readonly<Record<string, unknown>>"
}

/** The type of what a schema allows; names of components for references. */
export const jsonType = (schema: Schema, indent: string): string => {
  if (schema.$ref !== undefined) return schema.$ref.slice("#/components/schemas/".length)
  if (schema.allOf !== undefined) {
    const { allOf, ...own } = schema
    return [...allOf, ...(own.properties === undefined ? [] : [own])].map((part) => jsonType(part, indent)).join(" & ")
  }
  const parts = schema.anyOf ?? schema.oneOf
  if (parts !== undefined) return [...new Set(parts.map((part) => jsonType(part, indent)))].join(" | ")
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  switch (schema.type) {
    case "string":
      return schema.format === "binary" ? "Blob" : "string"
    case "integer":
    case "number":
      return "number"
    case "boolean":
    case "null":
      return schema.type
    case "array":
      return `ReadonlyArray<${jsonType(schema.items ?? {}, indent)}>`
    case "object":
      return objectType(schema, indent)
    case undefined:
      return "unknown"
    default:
      throw new Error(`A schema has the type ${schema.type}, which the client does not know`)
  }
}
