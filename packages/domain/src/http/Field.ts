import { Schema } from "effect"

/**
 * A field of a request or an answer with the sentence that the documentation has for it. It annotates the encoded side, which is what is sent:
 * `annotateKey` alone describes the decoded side, which no document shows. What is a component keeps its own description.
 */
export const field = <S extends Schema.Top>(schema: S, description: string): S["Rebuild"] =>
  schema.ast.encoding === undefined
    ? schema.annotateKey({ description })
    : (Schema.flip((Schema.flip(schema) as Schema.Top).annotateKey({ description })) as unknown as S["Rebuild"])
