import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type BridgingRound, isShown, type Part } from "./BridgingRound.ts"

/** So many of each kind are listed, because most wait for the same. */
const LISTED_MAX = 8
const OUTPUT_LENGTH_MAX = 1_000

const describePart = ({ client, index, script, swap }: Part) => {
  if (client.quotes.length === 0) return { index, script: script.name, asks: client.asking }
  const { depositAddress, depositMemo, polls, submitted } = swap()
  return {
    ...{ index, script: script.name, asks: client.asking, id: client.quotes[0].id, depositAddress, depositMemo },
    ...{ polls, submitted: submitted.length, reported: client.reported.length, isShown: isShown(swap()) },
  }
}

/** What a round still waits for: clients, stored swaps and reports, the swap service, and the processes. */
export const whatIsPending = Effect.fnUntraced(function* (round: BridgingRound) {
  const sql = yield* SqlClient
  const { parts, processes, replicas, requests } = round
  const waiting = parts.filter(
    ({ client, swap }) => client.asking !== undefined || !client.quotes.length || !isShown(swap()),
  )
  const shown = waiting.slice(0, LISTED_MAX).map(describePart)
  const swaps = sql`
    select id, deposit_shown, substatus, upstream_status, next_poll_at, lease_until, attempts, last_checked_at from bridge_swaps
    where next_poll_at is not null order by last_checked_at nulls first limit ${LISTED_MAX}`
  const deposits = sql`
    select swap_id, tx_hash, attempts, next_attempt_at, last_error from bridge_deposits
    where next_attempt_at is not null order by next_attempt_at desc limit ${LISTED_MAX}`
  const rows = yield* Effect.all({
    ...{ now: sql`select now() as now`, swaps, deposits, upstream: sql`select * from bridge_upstream` },
    claims: sql`select operation, lease_until from idempotent_requests where state = 'in_flight' limit ${LISTED_MAX}`,
    statements: sql`select state, wait_event, query from pg_stat_activity where state <> 'idle' limit ${LISTED_MAX}`,
  }).pipe(Effect.catch((error) => Effect.succeed(String(error))))
  const known = {
    ...{ requests, answers: Object.fromEntries(replicas.counts), waiting: waiting.length },
    ...{ parts: shown, rows },
    processes: processes.map(({ isUp, kills, output }) => ({ isUp, kills, output: output.slice(-OUTPUT_LENGTH_MAX) })),
  }
  return JSON.stringify(known, (_, value) => (typeof value === "bigint" ? String(value) : value), 2)
})
