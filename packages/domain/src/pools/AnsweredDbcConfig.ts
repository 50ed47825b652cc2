import { Schema, SchemaAST } from "effect"
import { isLosslessNumber } from "../amounts/Decimal.ts"
import { DbcConfig } from "./DbcConfig.ts"

/** Fields of a configuration, or of a group in it, in a response: amounts are JSON numbers. */
type AnsweredFields<Fields extends Schema.Struct.Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Schema.optionalKey<Schema.Struct<infer Group>>
    ? Schema.optionalKey<Schema.Struct<AnsweredFields<Group>>>
    : string | number extends Fields[Name]["Encoded"]
      ? Schema.optionalKey<Schema.Finite>
      : Fields[Name]
}

/** Note for clients on amounts that are not strings. */
const ALL_DIGITS = "A JSON number with all its digits: JSON.parse rounds beyond 15"

const isGroup = (schema: Schema.Constraint): schema is Schema.Struct<Schema.Struct.Fields> => "fields" in schema

/** Converts amounts and groups; any other field is returned as it was sent. */
const answeredField = (field: Schema.Constraint): Schema.Constraint => {
  const encoded = SchemaAST.toEncoded(field.ast)
  if (isLosslessNumber(encoded)) {
    const description = `${String(encoded.context?.annotations?.description)}. ${ALL_DIGITS}`
    return Schema.optionalKey(Schema.Finite).annotateKey({ description })
  }
  if (!("schema" in field)) return field
  const group = field.schema as Schema.Constraint
  return isGroup(group) ? Schema.optionalKey(answered(group)) : field
}

/** Groups that stand in two fields are one schema. */
const known = new Map<unknown, unknown>()

/** A struct whose amounts, at any depth, are numbers; its name loses "Draft". */
const answered = <Fields extends Schema.Struct.Fields>(
  struct: Schema.Struct<Fields>,
): Schema.Struct<AnsweredFields<Fields>> => {
  const before = known.get(struct)
  if (before !== undefined) return before as Schema.Struct<AnsweredFields<Fields>>
  const fields = Object.entries(struct.fields).map(([name, field]) => [name, answeredField(field)])
  const schema = Schema.Struct<AnsweredFields<Fields>>(Object.fromEntries(fields)).annotate({
    identifier: SchemaAST.resolveIdentifier(struct.ast)?.replace(/Draft$/, ""),
    description: SchemaAST.resolveDescription(struct.ast),
  })
  known.set(struct, schema)
  return schema
}

/** A {@link DbcConfig} in a response: its amounts are numbers. */
export const AnsweredDbcConfig = answered(DbcConfig)
