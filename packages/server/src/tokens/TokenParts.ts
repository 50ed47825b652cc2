import { isIncluded } from "@launch-registry/domain/http/Include"
import type { Token, TokenDetails } from "@launch-registry/domain/tokens/Token"
import { Effect } from "effect"
import type { Markets } from "../launch/Markets.ts"
import { type TokenRow, toToken } from "./TokenRow.ts"

/** What a request asks for besides the token itself. */
export interface Parts {
  readonly include?: string
}

const asksForMarket = (parts: Parts): boolean => isIncluded(parts, "market")

/** Tokens as they are answered, in one more statement if a part is asked for. */
export const tokenParts = (markets: Markets["Service"]) => ({
  asksForMarket,

  ofList: (parts: Parts, rows: ReadonlyArray<TokenRow>): Effect.Effect<ReadonlyArray<Token>> =>
    asksForMarket(parts)
      ? Effect.map(markets.find(rows.map(({ mintAddress }) => mintAddress)), (found) =>
          rows.map((row) => ({ ...toToken(row), market: found.get(row.mintAddress) ?? null })),
        )
      : Effect.succeed(rows.map(toToken)),

  withMarket: (token: TokenDetails): Effect.Effect<TokenDetails> =>
    Effect.map(markets.find([token.mintAddress]), (found) => ({
      ...token,
      market: found.get(token.mintAddress) ?? null,
    })),
})
