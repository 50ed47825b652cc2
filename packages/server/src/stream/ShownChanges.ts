import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { ChangeFigures, type ShownChange } from "@launch-registry/domain/stream/ShownChange"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { indexedAuthorities } from "../facts/Authorities.ts"
import { LearnCurves } from "../markets/LearnCurves.ts"
import { tradesInUsd } from "../prices/TradesInUsd.ts"
import { provenSlots } from "./ProvenSlots.ts"
import { bigintOf, type TokenFacts, tokenFacts, tradeFigures } from "../markets/TokenFacts.ts"

type Launched = Extract<ChainChange, { readonly type: "token" }>
type Trade = Extract<ChainChange, { readonly type: "trade" }>
type Traded = Extract<ChainChange, { readonly type: "trade" | "pool" }>

const isTraded = (change: ChainChange): change is Traded => change.type === "trade" || change.type === "pool"

const isTrade = (change: ChainChange): change is Trade => change.type === "trade"

const paid = (trade: Trade) => ({ ...trade, blockTime: new Date(trade.time) })

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
    const inUsd = yield* tradesInUsd

    const read = Effect.fn("ChangeFigures.read")(function* (changes: ReadonlyArray<ChainChange>) {
      const traded = changes.filter(isTraded)
      const facts = yield* factsOf(
        new Set([...traded, ...changes.filter(isLaunched)].map(({ mintAddress }) => mintAddress)),
        changes.flatMap((change) => (change.type === "revert" ? change.mintAddresses : [])),
      )
      const value = yield* inUsd(traded.filter(isTrade).map(paid))
      const isProven = yield* provenIn(traded.map(placeOf))
      const showTraded = (change: Traded): ShownChange => {
        const known = facts.get(change.mintAddress)
        const finality = isProven(placeOf(change)) ? ("finalized" as const) : ("confirmed" as const)
        const figures = { ...figuresOf(change, known), finality }
        return change.type === "trade"
          ? { ...change, ...figures, ...value(paid(change), known) }
          : { ...change, ...figures }
      }
      // When it is sent: most changes of a busy chain are asked for by nobody.
      return (change: ChainChange): ShownChange =>
        isTraded(change)
          ? showTraded(change)
          : isLaunched(change)
            ? { ...change, ...sizeOf(facts.get(change.mintAddress)) }
            : change
    })

    return ChangeFigures.of({ read })
  }),
)
