import { SchemaAST } from "effect"

/** The JSON type of a schema, for messages: `a string`, `one of launchpad_a, launchpad_b`, `a JSON object`. */
export const expectedType = (ast: SchemaAST.AST): string => {
  const known = wordsOf.get(ast)
  if (known !== undefined) return known
  const words = describe(SchemaAST.toEncoded(ast))
  wordsOf.set(ast, words)
  return words
}

const wordsOf = new WeakMap<SchemaAST.AST, string>()

const describe = (ast: SchemaAST.AST): string => {
  if (SchemaAST.isUnion(ast)) return describeUnion(ast.types)
  if (SchemaAST.isLiteral(ast)) return literalWord(ast)
  if (SchemaAST.isObjects(ast)) return "a JSON object"
  if (SchemaAST.isArrays(ast)) return "an array"
  if (SchemaAST.isNumber(ast)) return "a number"
  if (SchemaAST.isBoolean(ast)) return "a boolean (true or false)"
  if (SchemaAST.isNull(ast)) return "null"
  if (SchemaAST.isString(ast) || SchemaAST.isTemplateLiteral(ast)) return "a string"
  return "a JSON value"
}

const literalWord = ({ literal }: SchemaAST.Literal): string => (literal === "" ? "an empty string" : String(literal))

const describeUnion = (types: ReadonlyArray<SchemaAST.AST>): string => {
  const literals = types.filter(SchemaAST.isLiteral).map(literalWord)
  const others = types.filter((type) => !SchemaAST.isLiteral(type)).map(describe)
  const listed = literals.length > 1 ? [`one of ${literals.join(", ")}`] : literals
  return [...new Set([...others, ...listed])].join(" or ")
}
