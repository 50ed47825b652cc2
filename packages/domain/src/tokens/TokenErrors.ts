import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"

/** No token with this id or mint is registered (or it was deleted). */
export class TokenNotFound extends Schema.TaggedError<TokenNotFound>()("TokenNotFound", { token: Schema.String }) {
  static readonly response = respondWith(TokenNotFound, {
    status: 404,
    code: "token_not_found",
    message: ({ token }) => `Token ${token} is not registered`,
  })
}

/** A mint can be registered once; the token it already is can be read at `id`. */
export class MintAlreadyRegistered extends Schema.TaggedError<MintAlreadyRegistered>()("MintAlreadyRegistered", {
  mintAddress: Schema.String,
  id: Schema.String,
}) {
  static readonly response = respondWith(MintAlreadyRegistered, {
    status: 409,
    code: "mint_already_registered",
    message: ({ id, mintAddress }) => `Mint ${mintAddress} is already registered, as token ${id}`,
  })
}

/** A field of a request that is something else on chain; values as JSON would write them. */
export const Contradiction = Schema.Struct({
  field: Schema.String.annotate({ description: "Dotted path in the body" }),
  onChain: Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]),
  sent: Schema.Union([Schema.String, Schema.Finite, Schema.Boolean]),
}).annotate({ identifier: "Contradiction" })
export type Contradiction = typeof Contradiction.Type

/** What is known from the chain of a launched token cannot be registered or changed otherwise. */
export class ChainContradicted extends Schema.TaggedError<ChainContradicted>()("ChainContradicted", {
  mintAddress: Schema.String,
  contradictions: Schema.Array(Contradiction),
}) {
  static readonly response = respondWith(ChainContradicted, {
    status: 409,
    code: "contradicts_chain",
    message: ({ contradictions: [first, ...rest] }) =>
      first === undefined
        ? "The chain says otherwise"
        : `${first.field} is ${JSON.stringify(first.onChain)} on chain; ${JSON.stringify(first.sent)} was sent${rest.length === 0 ? "" : ` (and ${rest.length} more)`}`,
  })
}
