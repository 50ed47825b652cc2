import { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { firstOrdinalOf, slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { compareStores, isSame } from "../history/CompareStores.ts"
import { historyStatements } from "../history/HistoryStatements.ts"
import { transactionsUnder } from "../leader/Lease.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { leading } from "./LeadingCommand.ts"
import { progressBar } from "./ProgressBar.ts"

/** Compared at a time. */
const SLOTS = 216_000n
const SHOWN_MAX = 20

/** What is in ClickHouse, if anything is. */
export const printHistory = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { sentBelow } = yield* historyStatements(sql).progress
  const { keptFrom } = yield* oldTrades(sql).kept
  if (sentBelow === 0n) return
  const kept =
    keptFrom === 0n ? "all of them are in PostgreSQL as well" : `PostgreSQL has those from slot ${slotOf(keptFrom)} on`
  yield* Console.log(`history: trades up to slot ${slotOf(sentBelow) - 1n} are in ClickHouse; ${kept}`)
})

/** Compares the trades that both stores have, so many slots at a time, and names the slots in which they differ. */
export const verifyHistory = Effect.gen(function* () {
  const sql = yield* SqlClient
  const clickhouse = yield* ClickHouse
  const { sentBelow } = yield* historyStatements(sql).progress
  const { keptFrom } = yield* oldTrades(sql).kept
  if (clickhouse === undefined) return yield* new CommandFailed({ reason: "verify-history needs HISTORY_URL" })
  const oldest = yield* oldTrades(sql).oldestFrom(keptFrom)
  if (oldest === undefined || oldest >= sentBelow)
    return yield* Console.log("No trade is in both PostgreSQL and ClickHouse")
  const show = yield* progressBar("Comparing")
  const faults: Array<string> = []
  let rows = 0n
  const start = slotOf(oldest)
  const end = slotOf(sentBelow)
  for (let slot = start; slot < end; slot += SLOTS) {
    const beyond = slot + SLOTS < end ? slot + SLOTS : end
    const compared = yield* compareStores(sql, clickhouse, firstOrdinalOf(slot), firstOrdinalOf(beyond))
    rows += BigInt(compared.postgres.rows)
    if (!isSame(compared))
      faults.push(
        `slots ${slot} to ${beyond - 1n}: ${compared.postgres.rows} rows in PostgreSQL, ${compared.clickhouse.rows} in ClickHouse`,
      )
    yield* show(Number(beyond - start), Number(end - start), `${faults.length} differences`)
  }
  if (faults.length > 0) {
    const help = "\nresend-history --yes has ClickHouse's trades of these slots replaced by those of PostgreSQL"
    return yield* new CommandFailed({ reason: faults.slice(0, SHOWN_MAX).join("\n") + help })
  }
  yield* Console.log(`PostgreSQL and ClickHouse have the same ${rows} trades in slots ${start} to ${end - 1n}`)
})

/** From now on the leader sends all trades of PostgreSQL again. */
export const resendHistory = (isConfirmed: boolean) =>
  leading((fence) =>
    Effect.gen(function* () {
      if (!isConfirmed)
        return yield* new CommandFailed({
          reason:
            "resend-history has all trades of PostgreSQL sent to ClickHouse again. Say resend-history --yes to do so",
        })
      const sql = yield* SqlClient
      yield* transactionsUnder(sql, fence)(historyStatements(sql).sendAgain)
      yield* Console.log(
        "The leading indexer replaces the trades of ClickHouse by those of PostgreSQL; what has left PostgreSQL stays",
      )
    }),
  )
