import { ClickHouse, type ClickHouseParameters, type SelectOptions } from "@launch-registry/clickhouse/ClickHouse"
import { ClickHouseFailed } from "@launch-registry/clickhouse/ClickHouseFailed"
import { NotConfigured, Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Clock, Context, Effect, Exit, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { historyFigures, type HistoryRead } from "./HistoryFigures.ts"

/** A statement for a page or a chart takes no longer. */
const TIMEOUT_MILLIS = 5_000
/** Nor do all of its statements together. */
const PART_MILLIS = 10_000
/** At most this often a failure is logged, and the id of the history is compared. */
const EVERY_MILLIS = 60_000
const MILLIS_PER_SECOND = 1_000

const another = new ClickHouseFailed({
  reason: "The database of HISTORY_URL does not have the history of this index",
  isPermanent: true,
})

/** What history has of an answer, if it has it in time. */
export const inTime: <A, E, R>(read: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Unavailable, R> =
  Effect.timeoutOrElse({ duration: PART_MILLIS, orElse: () => Effect.fail(new Unavailable({ service: "history" })) })

/** What a process without a history answers where it is needed. */
export const historyNotConfigured = () => new NotConfigured({ feature: "history", reason: "HISTORY_URL is not set" })

/** Reads of the history in ClickHouse, which has the trades that have left PostgreSQL, and all others that are proven. */
export class History extends Context.Service<
  History,
  {
    /** Whether this process can read history at all. */
    readonly isConfigured: boolean
    /** Rows of a statement with parameters `{name:Type}`; integers of 64 bits and wider come as texts. */
    readonly select: <Row>(
      read: HistoryRead,
      statement: string,
      parameters: ClickHouseParameters,
      options?: SelectOptions,
    ) => Effect.Effect<ReadonlyArray<Row>, Unavailable>
  }
>()("@launch-registry/server/history/History") {
  /** Of the database of `ClickHouse`; where there is none, every read fails. */
  static readonly layer = Layer.effect(
    History,
    Effect.gen(function* () {
      const clickHouse = yield* ClickHouse
      if (clickHouse === undefined)
        return History.of({ isConfigured: false, select: () => Effect.die("there is no history to select from") })
      const sql = yield* SqlClient
      const figures = yield* historyFigures
      let loggedAt = Number.NEGATIVE_INFINITY
      let checkedAt = Number.NEGATIVE_INFINITY

      /** By the id that both know: a list of another index, or of an empty database, would have a hole. */
      const checkSame = Effect.gen(function* () {
        const now = yield* Clock.currentTimeMillis
        if (now - checkedAt < EVERY_MILLIS) return
        const found = yield* clickHouse.select<{ readonly id: string }>(
          "select distinct id from history_identity limit 2",
        )
        const [known] = yield* Effect.orDie(
          sql<{ readonly historyId: string }>`select history_id from indexer_progress`,
        )
        if (found.length !== 1 || found[0]!.id !== known?.historyId) return yield* another
        checkedAt = now
      })

      const log = Effect.fnUntraced(function* (read: HistoryRead, { reason }: ClickHouseFailed) {
        const now = yield* Clock.currentTimeMillis
        if (now - loggedAt < EVERY_MILLIS) return
        loggedAt = now
        yield* Effect.annotateLogs(Effect.logWarning("History in ClickHouse cannot be read"), { read, reason })
      })

      const select = Effect.fn("History.select")(function* <Row>(
        read: HistoryRead,
        statement: string,
        parameters: ClickHouseParameters,
        options?: SelectOptions,
      ) {
        const { durations } = figures[read]
        const beganAt = performance.now()
        const rows = Effect.andThen(
          checkSame,
          clickHouse.select<Row>(statement, parameters, { timeoutMillis: TIMEOUT_MILLIS, ...options }),
        )
        return yield* rows.pipe(
          Effect.onExit((exit) =>
            Effect.sync(() => {
              if (Exit.hasInterrupts(exit)) return
              figures[read][Exit.isSuccess(exit) ? "answered" : "failed"]++
              durations.add((performance.now() - beganAt) / MILLIS_PER_SECOND)
            }),
          ),
          Effect.tapError((failed) => log(read, failed)),
          Effect.mapError(() => new Unavailable({ service: "history" })),
        )
      })

      return History.of({ isConfigured: true, select })
    }),
  )
}
