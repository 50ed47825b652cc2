import { Schema, SchemaAST } from "effect"
import { isLosslessNumber } from "../amounts/Decimal.ts"
import { DbcConfig } from "./DbcConfig.ts"

/** The fields of a configuration, or of a group in it, as they are answered: amounts, sent as a number or a text, are numbers. */
type AnsweredFields<Fields extends Schema.Struct.Fields> = {
  readonly [Name in keyof Fields]: Fields[Name] extends Schema.optionalKey<Schema.Struct<infer Group>>
    ? Schema.optionalKey<Schema.Struct<AnsweredFields<Group>>>
    : string | number extends Fields[Name]["Encoded"]
      ? Schema.optionalKey<Schema.Finite>
      : Fields[Name]
}

/** What clients have to know of an amount that is no string. */
const ALL_DIGITS = "A JSON number with all its digits: JSON.parse rounds beyond 15"

const isGroup = (schema: Schema.Constraint): schema is Schema.Struct<Schema.Struct.Fields> => "fields" in schema

/** An amount or a group; any other field is answered as it is sent. */
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

/** A struct with the amounts in it as numbers, at any depth, and its name without "Draft". */
const answered = <Fields extends Schema.Struct.Fields>(
  struct: Schema.Struct<Fields>,
): Schema.Struct<AnsweredFields<Fields>> => {
  const fields = Object.entries(struct.fields).map(([name, field]) => [name, answeredField(field)])
  return Schema.Struct<AnsweredFields<Fields>>(Object.fromEntries(fields)).annotate({
    identifier: SchemaAST.resolveIdentifier(struct.ast)?.replace(/Draft$/, ""),
    description: SchemaAST.resolveDescription(struct.ast),
  })
}

/** A {@link DbcConfig} as it is answered: its amounts are numbers. */
export const AnsweredDbcConfig = answered(DbcConfig)
