import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { leadIndexing, type LeadIndexingOptions } from "../../src/LeadIndexing.ts"
import { blocks, LAST, ORIGIN, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { standInCluster } from "../StandInCluster.ts"
import { receiveTransactions } from "../TestIndex.ts"
import { pruned, slotsInLog } from "./SweptIndex.ts"

const leads = (options: Partial<LeadIndexingOptions> = {}) =>
  Effect.forkScoped(
    leadIndexing({
      ...{ holder: "first", network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 40 },
      ...{ originSlot: BigInt(ORIGIN), ...options },
    }),
  )

describe("The leader", () => {
  it.live("deletes what is older than is kept, as it is proven, and the newest never", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(blocks)).finalize(ORIGIN + 20)
      yield* Effect.gen(function* () {
        yield* leads({ retention: { inboxDays: 0 }, retentionMillis: 30 })
        for (const { transactions } of blocks) yield* receiveTransactions(transactions)
        yield* until(Effect.map(pruned, (slots) => slots?.toSlot === BigInt(ORIGIN + 20)))
        cluster.finalize(LAST)
        yield* until(Effect.map(slotsInLog, ({ segments }) => segments.length === 1))
        assert.deepStrictEqual((yield* slotsInLog).segments, [LAST])
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
