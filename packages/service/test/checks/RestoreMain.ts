import { execFile, execFileSync } from "node:child_process"
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import { promisify } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Database from "@launch-registry/postgres/Database"
import { Effect, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { startedService } from "../StartedService.ts"
import { SteadyClient } from "../rolling/SteadyClient.ts"
import { followedChain, HALF, LAST, provenUpTo, TRADES, wholeUpTo } from "./FollowedChain.ts"

/**
 * `pg_dump` of a service that is being written to, restored into a new database on which the service goes on: every write
 * acknowledged before the dump is there, and what the chain did since is fetched and proven. Exits with 1 on any fault.
 */
const [server, bin] = [process.env.POSTGRES_URL, process.env.POSTGRES_BIN]
if (server === undefined || bin === undefined) throw new Error("Use scripts/restore-check")
const urlOf = (database: string) => `${server}/${database}`
const SOURCE = `source_${randomUUID().slice(0, 8)}`
const RESTORED = `restored_${randomUUID().slice(0, 8)}`
const DUMP = join(process.env.POSTGRES_FOLDER!, "registry.dump")
const WRITES = 500

const say = (text: string) => void process.stdout.write(`${text}\n`)
const program = (name: string, ...args: ReadonlyArray<string>) => promisify(execFile)(join(bin, name), args)
const faults: Array<string> = []
const expect = (isMet: boolean, what: string) => {
  if (!isMet) faults.push(what)
}

const startedOn = (database: string, environment: Readonly<Record<string, string>>) =>
  startedService({ ...environment, DATABASE_URL: urlOf(database) })
const stop = ({ running }: Effect.Success<ReturnType<typeof startedOn>>) => {
  running.process.kill("SIGTERM")
  return running.ended
}

const inDatabase = (database: string) => Effect.provide(Database.layer({ url: Redacted.make(urlOf(database)) }))

/** Identifiers of what clients wrote, and how many trades there are. */
const contentsOf = (database: string) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const rows = yield* sql<{ id: string }>`
      select id from tokens where registered_by = 'client' union all select id from transactions where action <> 'DEPLOY'`
    const [trades] = yield* sql<{ count: number }>`select count(*)::integer as count from trades`
    return { ids: new Set(rows.map(({ id }) => id)), trades: trades!.count }
  }).pipe(inDatabase(database))

const main = Effect.gen(function* () {
  say(execFileSync(join(bin, "pg_dump"), ["--version"], { encoding: "utf8" }).trim())
  const chain = yield* followedChain
  yield* Effect.promise(() => program("createdb", "--maintenance-db", urlOf("postgres"), SOURCE))
  const before = yield* startedOn(SOURCE, chain.environment)
  const client = new SteadyClient(before.port, { workers: 8, pauseMillis: 2 })
  yield* Effect.promise(async () => {
    await chain.deliver([before.url], chain.firstSlot, HALF)
    await provenUpTo(before.url, HALF)
    while (client.writes < WRITES) await client.more(10)
  })
  const known = yield* contentsOf(SOURCE)
  const [dumpSeconds, restoreSeconds] = yield* Effect.promise(async () => {
    const dumpedAt = performance.now()
    await program("pg_dump", "--format=custom", `--file=${DUMP}`, urlOf(SOURCE))
    const doneAt = performance.now()
    // After the dump: lost with the old database, but the chain has it.
    await chain.deliver([before.url], HALF + 1, LAST)
    await client.stop()
    await stop(before)
    const restoredAt = performance.now()
    await program("createdb", "--maintenance-db", urlOf("postgres"), RESTORED)
    await program("pg_restore", "--exit-on-error", "--no-owner", `--dbname=${urlOf(RESTORED)}`, DUMP)
    return [(doneAt - dumpedAt) / 1000, (performance.now() - restoredAt) / 1000] as const
  })
  const atRestore = yield* contentsOf(RESTORED)
  const after = yield* startedOn(RESTORED, chain.environment)
  const again = new SteadyClient(after.port, { workers: 4, pauseMillis: 2 })
  yield* Effect.promise(async () => {
    await wholeUpTo(after.url, LAST)
    await again.more(100)
    await again.stop()
    await stop(after)
  })
  const at = yield* contentsOf(RESTORED)
  const missing = [...known.ids].filter((id) => !at.ids.has(id)).length
  const failed = [client, again].flatMap(({ failures }) => [...failures.keys()])
  say(
    `writes known before the dump ${known.ids.size}, missing after it was restored ${missing}; ${failed.length} kinds of failures`,
  )
  say(`dump ${dumpSeconds.toFixed(1)} s, restore ${restoreSeconds.toFixed(1)} s`)
  say(
    `trades in the backup ${atRestore.trades}, after the service proved up to slot ${LAST}: ${at.trades} of ${TRADES}`,
  )
  say(`writes after the restore: ${again.writes}`)
  expect(missing === 0, "writes are missing")
  expect(failed.length === 0, `requests failed: ${failed.join("; ")}`)
  expect(atRestore.trades < TRADES, "the backup held everything, so nothing was proven again")
  expect(at.trades === TRADES, "the index is not whole")
  expect(again.writes > 0, "nothing was written after the restore")
  for (const fault of faults) say(`FAULT: ${fault}`)
  if (faults.length > 0) process.exitCode = 1
})

NodeRuntime.runMain(Effect.scoped(main).pipe(Effect.provide(Logger.layer([]))))
