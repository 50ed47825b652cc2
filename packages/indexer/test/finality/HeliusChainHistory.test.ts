import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Effect, Layer, Logger } from "effect"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { HeliusHistory, type HistoryRequest } from "../../src/helius/HeliusHistory.ts"
import { heliusChainHistory } from "../../src/sources/HeliusChainHistory.ts"
import { rpcHistory } from "../../src/sources/RpcHistory.ts"
import { standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import {
  blocks,
  covered,
  digestOfAll,
  landed,
  LAST,
  ORIGIN,
  round,
  rpcOver,
  transactions,
  without,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const delivered = without(0.3, 1)
const lost = landed.filter((one) => !delivered.includes(one))

/** Pages of these transactions, the oldest first, as the bulk call has them; tokens say where the next page begins. */
class Bulk {
  pages = 0
  readonly #all: ReadonlyArray<RawTransaction>
  readonly #size: number

  constructor(all: ReadonlyArray<RawTransaction>, size: number) {
    this.#all = all
    this.#size = size
  }

  page({ fromSlot, toSlot, token }: HistoryRequest<"full">) {
    this.pages++
    const within = this.#all.filter(({ slot }) => slot >= fromSlot && slot <= toSlot)
    const start = Number(token ?? 0)
    const end = start + this.#size
    return Effect.succeed({ items: within.slice(start, end), next: end < within.length ? String(end) : undefined })
  }
}

const reconciledBy = (bulk: Bulk, cluster: StandInCluster) => {
  const helius = {
    page: (request: HistoryRequest<"full">) => bulk.page(request),
  } as unknown as HeliusHistory["Service"]
  return Reconciler.layer.pipe(
    Layer.provideMerge(heliusChainHistory.pipe(Layer.provide(rpcHistory))),
    Layer.provideMerge(Layer.succeed(HeliusHistory, helius)),
    Layer.provideMerge(rpcOver([cluster])),
    Layer.provideMerge(testIndex),
    Layer.provideMerge(Logger.layer([])),
  )
}

describe("Comparing the log with whole transactions, the oldest first", () => {
  it.live.each([3, 1_000])("fetches what was never delivered (pages of %i)", (size) =>
    Effect.gen(function* () {
      const bulk = new Bulk(transactions, size)
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        yield* receiveTransactions(delivered)
        yield* fold(fence)
        assert.deepInclude(yield* round(fence), { missing: lost.length, dropped: 0 })
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.strictEqual(bulk.pages, Math.ceil(transactions.length / size))
        assert.strictEqual(cluster.callsOf("getTransaction"), 0)
      }).pipe(Effect.provide(reconciledBy(bulk, cluster)))
    }),
  )

  it.live("proves nothing more after pages that do not follow one another", () =>
    Effect.gen(function* () {
      const half = Math.floor(transactions.length / 2)
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const error = yield* Effect.flip(round(fence))
        assert.include(error.message, "do not follow one another")
        const [[first, last]] = (yield* covered) as [[number, number]]
        assert.strictEqual(first, 0)
        assert.isBelow(last, transactions[half]!.slot - ORIGIN)
      }).pipe(Effect.provide(reconciledBy(new Bulk([...transactions.slice(0, half), ...transactions], half), cluster)))
    }),
  )
})
