import { isIncluded } from "@launch-registry/domain/http/Include"
import type { Token } from "@launch-registry/domain/tokens/Token"
import { Effect } from "effect"
import type { Markets } from "../markets/Markets.ts"
import type { Trust } from "../trust/Trust.ts"

/** What a request asks for besides the token itself. */
export interface Parts {
  readonly include?: string
}

/** What is asked for of some mints, read at once: figures of their markets, and facts to judge them by. */
export const partsOfMints =
  (markets: Markets["Service"], trust: Trust["Service"]) =>
  (asked: { readonly market: boolean; readonly trust: boolean }, mints: ReadonlyArray<string>) =>
    Effect.all(
      {
        figures: asked.market ? markets.find(mints) : Effect.undefined,
        facts: asked.trust ? trust.find(mints) : Effect.undefined,
      },
      { concurrency: "unbounded" },
    )

/** Tokens as they are answered: a part that is asked for takes a fixed number of statements for all of them together. */
export const tokenParts = (markets: Markets["Service"], trust: Trust["Service"]) => {
  const ofMints = partsOfMints(markets, trust)
  const ofList = Effect.fnUntraced(function* <T extends Pick<Token, "mintAddress" | "verified">>(
    parts: Parts,
    tokens: ReadonlyArray<T>,
  ) {
    const asked = { market: isIncluded(parts, "market"), trust: isIncluded(parts, "trust") }
    if (!asked.market && !asked.trust) return tokens
    const { facts, figures } = yield* ofMints(
      asked,
      tokens.map(({ mintAddress }) => mintAddress),
    )
    return tokens.map((token) => {
      const found = facts?.get(token.mintAddress)
      return {
        ...token,
        ...(figures && { market: figures.get(token.mintAddress) ?? null }),
        // What was deleted since the token was read says nothing of it.
        ...(facts && { trust: found ?? { ...UNKNOWN, verified: token.verified } }),
      }
    })
  })

  return {
    ofList,
    ofOne: <T extends Token>(parts: Parts, token: T) => Effect.map(ofList(parts, [token]), ([one]) => one!),
  }
}

const UNKNOWN = { confusableWith: null, unsafeText: [], authorities: null, firstSlot: null }
