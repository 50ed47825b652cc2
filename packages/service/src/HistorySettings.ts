import { HISTORY_URL, type HistoryUrl, parseHistoryUrl } from "@launch-registry/clickhouse/HistoryUrl"
import type { Fault } from "./WholeSetting.ts"

/** Where history is among `values`, undefined without HISTORY_URL; a fault is reported as name and expectation. */
export const readHistorySettings = (
  values: Readonly<Record<string, string | undefined>>,
  fault: Fault,
): HistoryUrl | undefined => {
  if ((values.TRADES_KEEP_DAYS ?? "0") !== "0") {
    if (values.HISTORY_URL === undefined)
      fault("HISTORY_URL", "a value with TRADES_KEEP_DAYS: trades leave PostgreSQL once they are in ClickHouse")
    if ((values.INBOX_KEEP_DAYS ?? "0") !== "0")
      fault("INBOX_KEEP_DAYS", "no value with TRADES_KEEP_DAYS: a replay derives old trades from the log")
  }
  if (values.HISTORY_URL === undefined) return undefined
  const url = parseHistoryUrl(values.HISTORY_URL)
  if (url === undefined) fault("HISTORY_URL", HISTORY_URL)
  return url
}
