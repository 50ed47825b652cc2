import { setTimeout as sleep } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { examples } from "../../../scripts/Laws.ts"
import { API_KEY, bridgingRound, isShown, type Part } from "./BridgingRound.ts"
import { whatIsPending } from "./BridgingReport.ts"
import { despiteDeadlocks, passTime } from "./PassTime.ts"
import { assertAsScripted, type SwapRecordRow } from "./SwapExpectation.ts"

const SWAPS = examples(80, 200)
/** Requests, or quotes, of a sweep, for the number of swaps here. */
const scaled = (...ofSweep: ReadonlyArray<number>) => new Set(ofSweep.map((at) => Math.round((at * SWAPS) / 200)))
/** Between one client and the next. */
const RAMP_MILLIS = 80
const TURN_MILLIS = 250
/** Both at a quote, and before the late deposits; on a slow machine, other clients meet a process that is starting. */
const KILLS_MIN = 4
const MOST = 0.75
/** Several times its duration when the whole suite runs on two cores: beyond it something is stuck, and is named. */
const PATIENCE = "14 minutes"
const PATIENCE_MILLIS = 900_000

const hashOf = (index: number, serial: number) => `transfer-${serial}-of-`.padEnd(40, "x") + index

/** Requests quotes, sometimes twice at once like an impatient user, and reports its deposits. */
const takePart = async ({ client, index, script }: Part): Promise<void> => {
  await sleep(index * RAMP_MILLIS)
  if (index % 4 === 0) assert.deepInclude(await client.dry(), { id: null, depositAddress: null })
  await Promise.all(index % 5 === 0 ? [client.quote(), client.quote()] : [client.quote()])
  if (script.reports === 1 || script.reports === 2) await client.report(hashOf(index, 1))
  if (script.reports !== 2) return
  while ((await client.status()).substatus !== "incomplete") await sleep(TURN_MILLIS)
  await client.report(hashOf(index, 2))
}

const everybody = (parts: ReadonlyArray<Part>, act: (part: Part) => Promise<void>) =>
  Effect.forEach(parts, (part) => Effect.promise(() => act(part)), { concurrency: "unbounded", discard: true })

/** Rows of all tables that contain `text`, also as bytes. */
const rowsWith = Effect.fnUntraced(function* (text: string) {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`
  const hex = Buffer.from(text).toString("hex")
  const found = yield* Effect.forEach(
    tables,
    ({ name }) => sql`
      select ${name}::text as "table" from ${sql(name)} t where strpos(t::text, ${text}) + strpos(t::text, ${hex}) > 0`,
  )
  return found.flat()
})

describe("Swaps with three faults in ten answers, two killed processes, and clients that retry", () => {
  it.live(
    "reach the expected ends, with nothing lost, disclosed or paid out twice",
    () =>
      Effect.gen(function* () {
        const { database, round } = yield* bridgingRound({
          ...{ seed: 11, swaps: SWAPS, quoteCrashesAt: scaled(30, 100) },
          crashesAt: scaled(200, 420, 640, 860, 1_080),
        })
        const { dice, parts, processes, replicas, standIn } = round
        let stage = "most clients quote"
        const begin = (next: string) => Effect.sync(() => void (stage = next))
        const unended = Effect.flatMap(whatIsPending(round), (pending) =>
          Effect.die(new Error(`It did not end while ${stage}: ${pending}`)),
        )
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          const quoted = () => parts.filter(({ client }) => client.quotes.length > 0)
          const isUnreported = ({ client, script, swap }: Part) =>
            !isShown(swap()) && (script.reports === 0 || client.reported.length > 0)

          // Polls are seconds to half an hour apart: here they run as soon as there is something new.
          let isDue = isUnreported
          const hastenPolls = Effect.gen(function* () {
            const due = quoted().filter((part) => isDue(part))
            if (due.length === 0) return
            const ids = due.map(({ client }) => String(client.quotes[0].id))
            yield* sql`
              update bridge_swaps set next_poll_at = now() where id::text in ${sql.in(ids)} and next_poll_at > now()
                and (lease_until is null or lease_until <= now())`
          })
          // A refused report is retried later; every look at its swap tries it here.
          const hastenReports = sql`update bridge_deposits set next_attempt_at = now() where next_attempt_at > now()`
          const hasten = despiteDeadlocks(Effect.andThen(hastenPolls, hastenReports))
          const until = Effect.fnUntraced(function* (holds: () => Effect.Effect<boolean, unknown>) {
            while (!(yield* Effect.orDie(holds())))
              yield* Effect.andThen(Effect.orDie(hasten), Effect.sleep(TURN_MILLIS))
          })
          const untilNone = (rows: () => Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
            until(() => Effect.map(rows(), ({ length }) => length === 0))
          const untilAllSaid = until(() =>
            Effect.sync(() => quoted().length === SWAPS && parts.every(({ swap }) => isShown(swap()))),
          )

          // A concurrent reader is answered, or has lost the connection.
          let isReading = true
          const reading = async () => {
            for (let at = 0; isReading; at = (at + 7) % SWAPS) {
              const { client } = parts[at]!
              if (client.quotes.length > 0) await client.status()
              await sleep(50)
            }
          }
          const readers = yield* Effect.forkChild(Effect.promise(reading))

          const clients = yield* Effect.forkChild(everybody(parts, takePart))
          // Claims of a killed process (quotes, polls and reports) are free again after their leases.
          yield* until(() => Effect.sync(() => quoted().length >= SWAPS * MOST))
          yield* begin("clients quote and report")
          yield* passTime("31 seconds")
          yield* until(() => Effect.sync(() => clients.pollUnsafe() !== undefined))
          yield* Fiber.join(clients)
          assert.lengthOf(yield* sql`select id from bridge_swaps`, SWAPS)
          yield* begin("the swap service reports everything")
          yield* passTime("31 seconds")
          yield* untilAllSaid
          // By the clock, a swap whose report is not submitted yet would expire.
          yield* untilNone(() => sql`select tx_hash from bridge_deposits where delivered_at is null`)
          yield* begin("keys are sent once more")
          // A key that is sent again while there is time to pay gets the same answer.
          yield* everybody(
            parts.filter(({ index }) => index % 7 === 0),
            ({ client }) => client.quote(),
          )

          yield* begin("unpaid swaps expire")
          yield* passTime("31 minutes")
          const unpaid = parts.filter(({ script }) => script.stages.includes("expired"))
          isDue = (part) => unpaid.includes(part)
          yield* until(() =>
            Effect.map(
              sql`select id from bridge_swaps where substatus = 'expired'`,
              ({ length }) => length === unpaid.length,
            ),
          )
          for (const { script, swap } of unpaid) {
            const { depositAddress, depositMemo, response } = swap()
            if (script.saysLate) standIn.tell(depositAddress, script.saysLate(response.quote), depositMemo)
          }
          yield* begin("late deposits are reported")
          isDue = isUnreported
          // A starting process would not be killed.
          yield* Effect.promise(() => Promise.all(processes.map(({ up }) => up)))
          for (const one of processes) one.crash()
          yield* passTime("31 seconds")
          yield* everybody(
            unpaid.filter(({ script }) => script.reports === "late"),
            ({ client, index }) => client.report(hashOf(index, 1)),
          )
          yield* begin("the swap service reports everything about late deposits")
          yield* untilAllSaid
          yield* begin("readers end")
          isReading = false
          yield* Fiber.join(readers)

          // Everything is polled once more, without faults; and again when no end can change any more.
          yield* begin("processes come up")
          round.isCalm = true
          yield* Effect.promise(() => Promise.all(processes.map(({ up }) => up)))
          yield* passTime("31 seconds")
          yield* begin("everything is polled once more")
          const calmAt = new Date()
          isDue = () => true
          yield* untilNone(
            () => sql`
              select id from bridge_swaps
              where next_poll_at is not null and (last_checked_at is null or last_checked_at <= ${calmAt})`,
          )
          yield* begin("everything is polled eleven days later")
          isDue = () => false
          yield* passTime("11 days")
          yield* untilNone(
            () => sql`
              select id from bridge_swaps where next_poll_at <= now()
              union all select swap_id from bridge_deposits where next_attempt_at is not null`,
          )

          yield* begin("everything is compared with its script")
          const rows = yield* sql<SwapRecordRow>`
            select t.id, s.next_poll_at is not null as is_watched, t.action, t.status, t.amount_in, t.amount_out, t.tx_hash,
              t.pool_address
            from bridge_swaps s full join transactions t on t.id = s.id`
          assert.lengthOf(rows, SWAPS)
          const rowOf = new Map(rows.map((row) => [row.id, row]))
          for (const part of parts)
            yield* Effect.promise(() => assertAsScripted(part, rowOf.get(part.client.quotes[0].id)!))

          // Quotes without a swap: forged ones, and those whose process was killed.
          const stored = new Set(parts.map(({ swap }) => swap()))
          assert.strictEqual(stored.size, SWAPS)
          const others = standIn.swaps.filter((swap) => !stored.has(swap))
          const transcript = replicas.transcript.join("\n")
          for (const { depositAddress, depositMemo } of others)
            assert.notInclude(transcript, `"${depositMemo ?? depositAddress}"`)
          assert.isAbove(others.filter(({ isTampered }) => isTampered).length, SWAPS / 20)
          assert.isAbove(others.filter(({ isTampered }) => !isTampered).length, 0)

          // As many faults as intended happened, and clients could handle every answer.
          assert.isAtLeast(
            processes.reduce((sum, { kills }) => sum + kills, 0),
            KILLS_MIN,
          )
          const faults = [...dice.thrown.values()].reduce((sum, times) => sum + times, 0)
          assert.approximately(faults / round.requests, 0.3, 0.01)
          for (const fault of ["hang", "429", "500", "502", "html", "reset", "cut", "malformed_json"])
            assert.isTrue(dice.thrown.has(fault), fault)
          const known = ["200", "broken", "409 request_in_flight", "502 quote_not_trusted", "503 upstream_unavailable"]
          assert.includeMembers(known, [...replicas.counts.keys()])

          for (const text of [transcript, ...processes.map(({ output }) => output)]) assert.notInclude(text, API_KEY)
          assert.deepStrictEqual(yield* rowsWith(API_KEY), [])
          // The search does find what is there.
          assert.isAbove((yield* rowsWith(hashOf(0, 1))).length, 0)
        }).pipe(Effect.timeoutOrElse({ duration: PATIENCE, orElse: () => unended }), Effect.provide(database))
      }).pipe(Effect.scoped),
    PATIENCE_MILLIS,
  )
})
