import { isLosslessNumber } from "@launch-registry/domain/amounts/Decimal"
import type { Schema } from "effect"
import { SchemaAST } from "effect"

const keysOf = new WeakMap<SchemaAST.AST, ReadonlySet<string>>()

/** Names of fields, at any depth, whose JSON numbers must not pass through a double. */
export const losslessKeys = (schema: Schema.Constraint): ReadonlySet<string> => {
  const encoded = SchemaAST.toEncoded(schema.ast)
  const known = keysOf.get(encoded)
  if (known !== undefined) return known
  const keys = new Set<string>()
  collect(encoded, keys)
  keysOf.set(encoded, keys)
  return keys
}

const collect = (ast: SchemaAST.AST, keys: Set<string>): void => {
  if (SchemaAST.isObjects(ast)) {
    for (const property of ast.propertySignatures) {
      if (isLosslessNumber(property.type)) keys.add(String(property.name))
      else collect(property.type, keys)
    }
  } else if (SchemaAST.isUnion(ast)) {
    for (const type of ast.types) collect(type, keys)
  } else if (SchemaAST.isArrays(ast)) {
    for (const type of [...ast.elements, ...ast.rest]) collect(type, keys)
  }
}
