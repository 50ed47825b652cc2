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
  /** The token that the mint is. */
  id: Schema.optionalKey(Schema.String),
}) {
  static readonly response = respondWith(MintAlreadyRegistered, {
    status: 409,
    code: "mint_already_registered",
    message: ({ mintAddress }) => `Mint ${mintAddress} is already registered`,
  })
}
