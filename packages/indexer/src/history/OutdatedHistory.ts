import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { PARTITION_SLOTS, TRADE_COLUMNS } from "@launch-registry/clickhouse/HistoryTables"
import { firstOrdinalOf, slotOf } from "@launch-registry/solana/Ordinal"
import { Effect } from "effect"
import type { HistoryProgress } from "./HistoryStatements.ts"

/** Slots that are looked through at once: a partition of ClickHouse. */
const SLOTS = BigInt(PARTITION_SLOTS)
const TIMEOUT_MILLIS = 1_800_000
const KEPT = TRADE_COLUMNS.filter((column) => column !== "version" && column !== "is_deleted").join(", ")

/**
 * Takes back what history has of tables that were derived again since: rows of versions before that, and not sent again. What has left
 * PostgreSQL stays.
 */
export const deleteOutdated = Effect.fn("deleteOutdated")(function* (
  clickhouse: ClickHouse,
  { keptFrom, resendBelow, resendVersion }: Pick<HistoryProgress, "keptFrom" | "resendBelow" | "resendVersion">,
  version: bigint,
) {
  const start = slotOf(keptFrom)
  const first = start - (start % SLOTS)
  for (let slot = first; firstOrdinalOf(slot) < resendBelow; slot += SLOTS) {
    const parameters = {
      ...{
        from: String(max(keptFrom, firstOrdinalOf(slot))),
        beyond: String(min(resendBelow, firstOrdinalOf(slot + SLOTS))),
      },
      ...{ outdated: String(resendVersion), version: String(version) },
    }
    yield* clickhouse.command(
      `insert into trades (${KEPT}, version, is_deleted)
       select ${KEPT}, {version:UInt64}, 1 from trades final
       where ordinal >= {from:UInt64} and ordinal < {beyond:UInt64} and version < {outdated:UInt64}`,
      parameters,
      { timeoutMillis: TIMEOUT_MILLIS },
    )
  }
})

const max = (left: bigint, right: bigint): bigint => (left > right ? left : right)
const min = (left: bigint, right: bigint): bigint => (left < right ? left : right)
