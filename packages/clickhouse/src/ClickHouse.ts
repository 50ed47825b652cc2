import { Context, Effect, Layer } from "effect"
import type { ClickHouseFailed } from "./ClickHouseFailed.ts"
import { type ClickHouseOptions, clickHouseClient } from "./ClickHouseClient.ts"
import type { HistoryUrl } from "./HistoryUrl.ts"

export interface SelectOptions {
  /** A longer answer is a permanent failure; 100,000 unless told. */
  readonly rowsMax?: number
  /** 10 s unless told; the server gives up as well. */
  readonly timeoutMillis?: number
}

/** Values of `{name:Type}` in a statement, bound by the server: texts, numbers, bigints, lists of them, or null. */
export type ClickHouseParameters = Readonly<Record<string, unknown>>

/** A database of a ClickHouse server. Nothing is tried again; interrupting closes the connection and ends the query. */
export interface ClickHouse {
  /**
   * Rows of a read without a `format` of its own. Integers of 64 bits and wider are texts, times are texts unless the statement
   * makes numbers of them.
   */
  readonly select: <Row>(
    statement: string,
    parameters?: ClickHouseParameters,
    options?: SelectOptions,
  ) => Effect.Effect<ReadonlyArray<Row>, ClickHouseFailed>
  /**
   * Inserts rows (values in the order of `columns`: bigints or their decimal texts, times as seconds since 1970) in one insert,
   * and returns when the server has stored them. A failure says nothing about whether it has. No rows: no request.
   */
  readonly insert: (
    table: string,
    columns: ReadonlyArray<string>,
    rows: ReadonlyArray<ReadonlyArray<unknown>>,
  ) => Effect.Effect<void, ClickHouseFailed>
  /** A statement without rows; 60 s unless told. */
  readonly command: (
    statement: string,
    parameters?: ClickHouseParameters,
    options?: Pick<SelectOptions, "timeoutMillis">,
  ) => Effect.Effect<void, ClickHouseFailed>
}

/** Undefined where HISTORY_URL is not set. */
export const ClickHouse = Context.Reference<ClickHouse | undefined>("@launch-registry/clickhouse/ClickHouse", {
  defaultValue: () => undefined,
})

/** The database of a URL. Connects when it is used. */
export const layer = (url: HistoryUrl, options: ClickHouseOptions = {}): Layer.Layer<never> =>
  Layer.effect(ClickHouse, clickHouseClient(url, options))
