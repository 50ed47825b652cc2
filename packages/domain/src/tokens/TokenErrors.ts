import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** The token is called otherwise than the request says: what is known of the one is not known of the other. */
export class TokenRenamed extends Schema.TaggedError<TokenRenamed>()("TokenRenamed", {
  id: field(Schema.String, "Id of the token"),
  name: field(Schema.String, "Its name now"),
  symbol: field(Schema.String, "Its symbol now"),
}) {
  static readonly response = respondWith(TokenRenamed, {
    status: 409,
    code: "token_renamed",
    message: ({ name, symbol }) => `The token is called ${JSON.stringify(name)} (${JSON.stringify(symbol)}) now`,
  })
}

/** A field of a request that differs from the chain, with JSON values. */
export const Contradiction = Schema.Struct({
  field: field(Schema.String, "Dotted path in the body"),
  onChain: field(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]), "Value on chain"),
  sent: field(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]), "Value of the request"),
}).annotate({ identifier: "Contradiction", description: "A field whose value differs from the one on chain" })
export type Contradiction = typeof Contradiction.Type

/** A field differs from what is known from the chain: of the launched token, or of the trade of a transaction that has landed. */
export class ChainContradicted extends Schema.TaggedError<ChainContradicted>()("ChainContradicted", {
  resource: field(Schema.Literals(["token", "transaction"]), "What the request is about"),
  id: field(Schema.String, "Its mint, or its transaction hash"),
  contradictions: field(Schema.Array(Contradiction), "Every field that differs from the chain"),
}) {
  static readonly response = respondWith(ChainContradicted, {
    status: 409,
    code: "contradicts_chain",
    message: ({ contradictions: [first, ...rest] }) =>
      first === undefined
        ? "The request contradicts the chain"
        : `${first.field} is ${JSON.stringify(first.onChain)} on chain; ${JSON.stringify(first.sent)} was sent${rest.length === 0 ? "" : ` (and ${rest.length} more)`}`,
  })
}
