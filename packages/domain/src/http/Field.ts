import { Schema } from "effect"

/**
 * A field with its description. Annotates the encoded side, which is what OpenAPI documents: `annotateKey` alone
 * describes the decoded side. A component keeps its own description.
 */
export const field = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.ast.encoding === undefined
    ? schema.annotateKey({ description })
    : (Schema.flip((Schema.flip(schema) as Schema.Top).annotateKey({ description })) as unknown as S["Rebuild"])
