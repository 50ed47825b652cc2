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

/** The mint is already registered, as the token `id`. */
export class MintAlreadyRegistered extends Schema.TaggedError<MintAlreadyRegistered>()("MintAlreadyRegistered", {
  mintAddress: field(Schema.String, "Mint of the request"),
  id: field(Schema.String, "Id of the registered token"),
}) {
  static readonly response = respondWith(MintAlreadyRegistered, {
    status: 409,
    code: "mint_already_registered",
    message: ({ id, mintAddress }) => `Mint ${mintAddress} is already registered, as token ${id}`,
  })
}

/** A field of a request that differs from the chain, with JSON values. */
export const Contradiction = Schema.Struct({
  field: field(Schema.String, "Dotted path in the body"),
  onChain: field(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]), "Value on chain"),
  sent: field(Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]), "Value of the request"),
}).annotate({ identifier: "Contradiction", description: "A field whose value differs from the one on chain" })
export type Contradiction = typeof Contradiction.Type

/** A field differs from what is known of the launched token from the chain. */
export class ChainContradicted extends Schema.TaggedError<ChainContradicted>()("ChainContradicted", {
  mintAddress: field(Schema.String, "Mint of the token"),
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
