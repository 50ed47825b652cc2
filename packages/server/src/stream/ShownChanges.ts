import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { ChangeFigures, type ShownChange } from "@launch-registry/domain/stream/ShownChange"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { indexedAuthorities } from "../facts/Authorities.ts"
import { LearnCurves } from "../markets/LearnCurves.ts"
import { provenSlots } from "./ProvenSlots.ts"
import { bigintOf, type TokenFacts, tokenFacts, tradeFigures } from "../markets/TokenFacts.ts"

type Launched = Extract<ChainChange, { readonly type: "token" }>
type Traded = Extract<ChainChange, { readonly type: "trade" | "pool" }>

const isTraded = (change: ChainChange): change is Traded => change.type === "trade" || change.type === "pool"

const isLaunched = (change: ChainChange): change is Launched => change.type === "token"

const sizeOf = (facts: TokenFacts | undefined) => ({
  decimals: facts?.baseDecimals ?? null,
  totalSupply: facts?.totalSupply ?? null,
  authorities: facts === undefined ? null : indexedAuthorities(facts.tokenUpdateAuthority, null),
})

const placeOf = ({ pool, slot, venue }: Traded) => ({ pool, venue, slot: BigInt(slot) })

const figuresOf = ({ quoteReserve, sqrtPrice, venue }: Traded, facts: TokenFacts | undefined) =>
  tradeFigures(facts, { venue, sqrtPrice: BigInt(sqrtPrice), quoteReserve: bigintOf(quoteReserve) })

/** Figures of streamed trades and pools, from tables and what this process remembers of tokens; the chain is not asked. */
export const ShownChangesLayer = Layer.effect(
  ChangeFigures,
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const factsOf = tokenFacts(sql, yield* LearnCurves)
    const provenIn = provenSlots(sql)

    const read = Effect.fn("ChangeFigures.read")(function* (changes: ReadonlyArray<ChainChange>) {
      const traded = changes.filter(isTraded)
      const facts = yield* factsOf(
        new Set([...traded, ...changes.filter(isLaunched)].map(({ mintAddress }) => mintAddress)),
        changes.flatMap((change) => (change.type === "revert" ? change.mintAddresses : [])),
      )
      const isProven = yield* provenIn(traded.map(placeOf))
      // When it is sent: most changes of a busy chain are asked for by nobody.
      return (change: ChainChange): ShownChange =>
        isTraded(change)
          ? {
              ...change,
              ...figuresOf(change, facts.get(change.mintAddress)),
              finality: isProven(placeOf(change)) ? "finalized" : "confirmed",
            }
          : isLaunched(change)
            ? { ...change, ...sizeOf(facts.get(change.mintAddress)) }
            : change
    })

    return ChangeFigures.of({ read })
  }),
)
