import { SchemaAST } from "effect"

/** Removes null fields from a value, in place. */
type Clean = (value: unknown) => void

const cleanOf = new WeakMap<SchemaAST.AST, Clean>()

/**
 * Removes `null` fields, at any depth, that the schema does not allow to be null: many clients send `null` for absent
 * fields. Changes the value in place.
 */
export const dropNullFields = (ast: SchemaAST.AST, value: unknown): void => cleanerOf(ast)(value)

const cleanerOf = (declared: SchemaAST.AST): Clean => {
  const known = cleanOf.get(declared)
  if (known !== undefined) return known
  const clean = makeCleaner(SchemaAST.toEncoded(declared))
  cleanOf.set(declared, clean)
  return clean
}

const nothing: Clean = () => {}

const makeCleaner = (ast: SchemaAST.AST): Clean => {
  if (SchemaAST.isUnion(ast)) {
    const cleaners = ast.types.map(cleanerOf).filter((clean) => clean !== nothing)
    return cleaners.length === 0 ? nothing : (value) => cleaners.forEach((clean) => clean(value))
  }
  if (SchemaAST.isArrays(ast)) {
    const [element] = ast.rest
    const clean = element === undefined ? nothing : cleanerOf(element)
    return clean === nothing ? nothing : (value) => Array.isArray(value) && value.forEach(clean)
  }
  if (!SchemaAST.isObjects(ast) || ast.propertySignatures.length === 0) return nothing
  const fields = ast.propertySignatures.map(({ name, type }) => ({
    name,
    takesNull: takesNull(type),
    clean: cleanerOf(type),
  }))
  return (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return
    const record = value as Record<PropertyKey, unknown>
    for (const { clean, name, takesNull } of fields) {
      const field = record[name]
      if (field === null && !takesNull) delete record[name]
      else if (field !== undefined) clean(field)
    }
  }
}

const takesNull = (ast: SchemaAST.AST): boolean =>
  SchemaAST.isNull(ast) ||
  SchemaAST.isUnknown(ast) ||
  SchemaAST.isAny(ast) ||
  SchemaAST.isDeclaration(ast) ||
  (SchemaAST.isUnion(ast) && ast.types.some(takesNull))
