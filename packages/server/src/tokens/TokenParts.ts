import { isIncluded } from "@launch-registry/domain/http/Include"
import type { Token, TokenDetails } from "@launch-registry/domain/tokens/Token"
import { Effect } from "effect"
import type { Markets } from "../launch/Markets.ts"

/** What a request asks for besides the token itself. */
export interface Parts {
  readonly include?: string
}

const asksForMarket = (parts: Parts): boolean => isIncluded(parts, "market")

/** Tokens as they are answered, in one more statement if a part is asked for. */
export const tokenParts = (markets: Markets["Service"]) => ({
  asksForMarket,

  ofList: <T extends Token>(parts: Parts, tokens: ReadonlyArray<T>): Effect.Effect<ReadonlyArray<T>> =>
    asksForMarket(parts)
      ? Effect.map(markets.find(tokens.map(({ mintAddress }) => mintAddress)), (found) =>
          tokens.map((token) => ({ ...token, market: found.get(token.mintAddress) ?? null })),
        )
      : Effect.succeed(tokens),

  withMarket: (token: TokenDetails): Effect.Effect<TokenDetails> =>
    Effect.map(markets.find([token.mintAddress]), (found) => ({
      ...token,
      market: found.get(token.mintAddress) ?? null,
    })),
})
