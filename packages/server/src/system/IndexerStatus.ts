import type { IndexerReport } from "@launch-registry/domain/system/IndexerReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { indexerHealth } from "./IndexerHealth.ts"
import { type HistoryProgress, readIndex, selectCounts, selectRanges } from "./IndexerStatements.ts"

/** Timeout of the database check. */
const DEADLINE_MILLIS = 1_000

/** Reports that the indexer wrote to the database, from any process. */
export class IndexerStatus extends Context.Service<
  IndexerStatus,
  {
    readonly report: Effect.Effect<IndexerReport>
    readonly health: Effect.Effect<PartHealth>
  }
>()("@launch-registry/server/system/IndexerStatus") {
  static readonly layer = Layer.effect(
    IndexerStatus,
    Effect.gen(function* () {
      const sql = yield* SqlClient

      const report = Effect.gen(function* () {
        const { history, marks, progress, reports } = yield* readIndex(sql)
        const reads = [selectCounts(sql), selectRanges(sql, reports.leader)] as const
        const [[counts], [ranges]] = yield* Effect.all(reads, { concurrency: 2 })
        const { expiresAt, holder, logOffset, moduleHash, nextOffset, pendingSegments, prunedToSlot, slot } = progress
        const { deadLetters, dropped, poison } = counts!
        const { pools, replay, webhook } = reports.raw
        const { finalizedSlot, reportedAt } = reports.leader
        return {
          leader: holder === null || expiresAt === null ? null : { holder, expiresAt: expiresAt.toISOString() },
          moduleHash,
          slot: textOf(slot),
          logOffset: textOf(logOffset),
          inbox: { pendingSegments: Number(pendingSegments), nextOffset: String(nextOffset) },
          finalizedSlot: textOf(finalizedSlot),
          watermarkSlot: textOf(marks.watermarkSlot),
          programWatermarkSlot: textOf(marks.programWatermarkSlot),
          ...(marks.hasPools && { poolsWatermarkSlot: textOf(marks.poolsWatermarkSlot) }),
          unprovenSeconds: marks.unprovenSeconds,
          ...ranges!,
          ...(prunedToSlot >= 0n && { logFromSlot: String(prunedToSlot + 1n) }),
          poison: Number(poison),
          deadLetters: Number(deadLetters),
          dropped: Number(dropped),
          ...{ webhook, replay },
          ...(pools !== undefined && { pools }),
          ...(history !== undefined && { history: historyOf(history) }),
          reportedAt: reportedAt?.toISOString() ?? null,
        }
      }).pipe(Effect.orDie, Effect.withSpan("IndexerStatus.report"))

      const health = readIndex(sql).pipe(
        Effect.map(indexerHealth),
        Effect.timeout(DEADLINE_MILLIS),
        Effect.orElseSucceed((): PartHealth => ({
          status: "down",
          detail: "unknown: the database is unavailable",
        })),
      )

      return IndexerStatus.of({ report, health })
    }),
  )
}

const historyOf = ({ failingSince, keptFromSlot, problem, sentAt, sentToSlot }: HistoryProgress) => ({
  ...{ sentToSlot: textOf(sentToSlot), sentAt: sentAt?.toISOString() ?? null },
  ...{ keptFromSlot: textOf(keptFromSlot), problem, failingSince: failingSince?.toISOString() ?? null },
})

const textOf = (value: bigint | null): string | null => (value === null ? null : value.toString())
