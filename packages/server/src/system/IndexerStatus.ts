import type { IndexerReport } from "@launch-registry/domain/system/IndexerReport"
import type { PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type HistoryFigures, selectHistory } from "./HistoryFigures.ts"
import { indexerHealth } from "./IndexerHealth.ts"
import { selectPools, selectProgress, selectProof, selectWatermark } from "./IndexerStatements.ts"

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
        const reads = [selectProgress(sql), selectProof(sql), selectHistory(sql)] as const
        const [[progress], [proof], history] = yield* Effect.all(reads, { concurrency: 3 })
        const { expiresAt, holder, logOffset, moduleHash, nextOffset, pendingSegments, prunedToSlot, slot } = progress!
        const { deadLetters, dropped, poison, reportedAt, ...rest } = proof!
        return {
          leader: holder === null || expiresAt === null ? null : { holder, expiresAt: expiresAt.toISOString() },
          moduleHash,
          slot: textOf(slot),
          logOffset: textOf(logOffset),
          inbox: { pendingSegments: Number(pendingSegments), nextOffset: String(nextOffset) },
          finalizedSlot: textOf(rest.finalizedSlot),
          watermarkSlot: textOf(rest.watermarkSlot),
          programWatermarkSlot: textOf(rest.programWatermarkSlot),
          ...(rest.hasPools && { poolsWatermarkSlot: textOf(rest.poolsWatermarkSlot) }),
          unprovenSeconds: rest.unprovenSeconds,
          coverage: rest.coverage,
          gaps: rest.gaps,
          ...(prunedToSlot >= 0n && { logFromSlot: String(prunedToSlot + 1n) }),
          poison: Number(poison),
          deadLetters: Number(deadLetters),
          dropped: Number(dropped),
          webhook: rest.webhook,
          replay: rest.replay,
          ...(rest.pools !== null && { pools: rest.pools }),
          ...(history !== undefined && { history: historyOf(history) }),
          reportedAt: reportedAt?.toISOString() ?? null,
        }
      }).pipe(Effect.orDie, Effect.withSpan("IndexerStatus.report"))

      const observed = [selectProgress(sql), selectWatermark(sql), selectPools(sql), selectHistory(sql)] as const
      const health = Effect.all(observed, { concurrency: 4 }).pipe(
        Effect.timeout(DEADLINE_MILLIS),
        Effect.match({
          onFailure: (): PartHealth => ({ status: "down", detail: "unknown: the database is unavailable" }),
          onSuccess: ([[progress], [watermark], [pools], history]) =>
            indexerHealth(progress!, watermark!, pools, history),
        }),
      )

      return IndexerStatus.of({ report, health })
    }),
  )
}

const historyOf = ({ failingSince, keptFromSlot, problem, sentAt, sentToSlot }: HistoryFigures) => ({
  ...{ sentToSlot: textOf(sentToSlot), sentAt: sentAt?.toISOString() ?? null },
  ...{ keptFromSlot: textOf(keptFromSlot), problem, failingSince: failingSince?.toISOString() ?? null },
})

const textOf = (value: bigint | null): string | null => (value === null ? null : value.toString())
