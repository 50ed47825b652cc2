import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { seeds } from "../../../../scripts/Laws.ts"
import { deliver } from "../../fixtures/DeliverTransactions.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { historyRound } from "../../src/history/HistoryRound.ts"
import { blocks, forged, landed, LAST, ORIGIN, randomSignature, roundAtLast } from "../finality/ReconciledIndex.ts"
import { originReported } from "../retention/SweptIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { fold, lead, receive, receiveTransactions } from "../TestIndex.ts"
import { comparedHistory, historyIndex } from "./HistoryIndex.ts"

describe("History", () => {
  it.live.each(seeds(4, 40))(
    "has each proven trade once, whatever is delivered late, forged, and however often sending fails (%s)",
    (seed) =>
      Effect.gen(function* () {
        const cluster = yield* standInCluster(blocks)
        yield* historyIndex(cluster, (clickhouse, server) =>
          Effect.gen(function* () {
            const random = new SeededRandom(seed)
            const fence = yield* lead
            yield* originReported
            const { bodies } = deliver(blocks, { seed, duplicateShare: 0.1, shuffleWindow: 60, batchMax: 6 })
            const send = Effect.gen(function* () {
              const mode = random.pick(["drop", "error", "refuse", "cut", undefined] as const)
              if (mode !== undefined) yield* server.fail(mode, random.between(1, 3))
              yield* Effect.ignore(historyRound(clickhouse, fence))
            })
            /** In slots that are proven, before they are sent. */
            const forge = Effect.gen(function* () {
              const { slot } = random.pick(landed.filter((one) => one.slot <= Math.max(cluster.finalizedSlot, ORIGIN)))
              const signature = randomSignature(random.between(1, 1_000_000))
              yield* receiveTransactions([forged(random.pick(landed), { signature, slot })])
            })
            cluster.finalizedSlot = ORIGIN - 1
            for (let received = 0; received < bodies.length;) {
              const more = random.between(1, 4)
              yield* receive(bodies.slice(received, received + more))
              received += more
              if (random.chance(0.5)) yield* forge
              cluster.finalizedSlot = Math.min(LAST, cluster.finalizedSlot + random.between(0, 4))
              const folded = fold(fence)
              yield* random.chance(0.5) ? Effect.all([folded, send], { concurrency: 2 }) : Effect.andThen(folded, send)
              if (random.chance(0.4)) yield* roundAtLast(fence)
            }
            cluster.finalizedSlot = LAST
            yield* receive(bodies)
            yield* fold(fence)
            yield* server.heal
            yield* roundAtLast(fence)
            yield* fold(fence)
            yield* historyRound(clickhouse, fence)
            const found = yield* comparedHistory(clickhouse)
            assert.isAtLeast(Number(found.sentBelow >> 32n), LAST)
            assert.isAbove(Number(found.postgres.rows), 100)
            assert.deepStrictEqual(found.clickhouse, found.postgres)
          }),
        )
      }).pipe(Effect.scoped),
    60_000,
  )
})
