import { execFileSync, spawn } from "node:child_process"
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { runAs, serverAccount } from "@launch-registry/postgres/embedded/ServerAccount"
import { Effect, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { freePort } from "../RunningService.ts"
import { startedService } from "../StartedService.ts"
import { Balancer } from "../rolling/Balancer.ts"
import { SteadyClient } from "../rolling/SteadyClient.ts"
import { followedChain, HALF, indexerReport, LAST, provenUpTo, TRADES, wholeUpTo } from "./FollowedChain.ts"

/**
 * Two api and two indexer processes on one PostgreSQL through PgBouncer in transaction mode: writes, deliveries, and an
 * indexer that is killed while it leads. Exits with 1 on any fault.
 */
const MIGRATE = fileURLToPath(new URL("../../../../migrations/src/main.ts", import.meta.url))
/** Fewer than the four processes open, so that they share connections. */
const SERVER_CONNECTIONS = 8
const TIMEOUT = "15s"

const say = (text: string) => void process.stdout.write(`${text}\n`)
const faults: Array<string> = []
const expect = (isMet: boolean, what: string) => {
  if (!isMet) faults.push(what)
}

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, "127.0.0.1", () => resolve((socket.destroy(), true)))
    socket.once("error", () => resolve(false))
  })

/** PgBouncer in front of the server on these sockets, as docs/operations.md configures it; yields its port. */
const pgbouncer = Effect.fnUntraced(function* (folder: string, sockets: string, database: string, username: string) {
  const account = serverAccount()
  const port = yield* Effect.promise(freePort)
  const own = join(folder, "pgbouncer")
  mkdirSync(own)
  const ini = join(own, "pgbouncer.ini")
  writeFileSync(
    ini,
    [
      "[databases]",
      `${database} = host=${sockets} dbname=${database} user=${username} connect_query='set statement_timeout = ''${TIMEOUT}'''`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${port}`,
      "unix_socket_dir =",
      "auth_type = any",
      "pool_mode = transaction",
      `default_pool_size = ${SERVER_CONNECTIONS}`,
      "max_client_conn = 200",
      "",
    ].join("\n"),
  )
  if (account !== undefined) for (const path of [own, ini]) chownSync(path, account.uid, account.gid)
  let output = ""
  yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const child = spawn("pgbouncer", [ini], { ...runAs(account), cwd: "/", stdio: ["ignore", "pipe", "pipe"] })
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
      // A signal to all processes of the check ends it first.
      const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
      while (!(await isListening(port))) {
        if (child.exitCode !== null) throw new Error(`PgBouncer did not start: ${output}`)
        await sleep(20)
      }
      return { child, ended }
    }),
    ({ child, ended }) => Effect.promise(() => (child.kill("SIGINT"), ended)),
  )
  return { port, output: () => output }
})

const main = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "registry-pgbouncer-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { address } = yield* embeddedPostgres({ folder })
  const { database, socketDirectory, username } = address
  // Migrations go past the pooler: one of them may take longer than a statement of the service.
  const direct = `postgres://${username}@localhost/${database}?host=${socketDirectory}`
  execFileSync(process.execPath, [MIGRATE], { env: { PATH: process.env.PATH, DATABASE_URL: direct }, stdio: "ignore" })
  const pooler = yield* pgbouncer(folder, socketDirectory, database, username)
  const pooled = `postgres://${username}@127.0.0.1:${pooler.port}/${database}?pgbouncer=true`
  const chain = yield* followedChain
  const environment = { ...chain.environment, DATABASE_URL: pooled, MIGRATE: "false" }

  const [first, second] = yield* Effect.all([
    startedService({ ...environment, ROLE: "api" }),
    startedService({ ...environment, ROLE: "api" }),
  ])
  const indexers = yield* Effect.all([
    startedService({ ...environment, ROLE: "indexer", LOG_LEVEL: "info" }),
    startedService({ ...environment, ROLE: "indexer", LOG_LEVEL: "info" }),
  ])
  const balancer = yield* Effect.acquireRelease(
    Effect.promise(() => Balancer.start([first.port, second.port], 200)),
    (one) => Effect.sync(() => one.stop()),
  )
  yield* Effect.promise(() => Promise.all([first, second].map(({ port }) => balancer.until(port, true))))
  const urls = [first.url, second.url]
  const client = new SteadyClient(balancer.port, { workers: 16, pauseMillis: 2 })

  const holder = async () => (await indexerReport(first.url)).leader?.holder as string | undefined
  const leader = yield* Effect.promise(async () => {
    let name = await holder()
    while (name === undefined) name = (await sleep(50), await holder())
    return name
  })
  const lost = yield* Effect.promise(async () => {
    const { lost: early } = await chain.deliver(urls, chain.firstSlot, HALF)
    await provenUpTo(first.url, HALF)
    const leading = indexers.find(({ running }) => running.output().includes(leader))!.running
    leading.process.kill("SIGKILL")
    const killedAt = performance.now()
    const delivery = chain.deliver(urls, HALF + 1, LAST)
    let next = await holder()
    while (next === undefined || next === leader) next = (await sleep(20), await holder())
    say(`the other indexer led ${((performance.now() - killedAt) / 1000).toFixed(1)} s after kill -9 of the first`)
    const { lost: late } = await delivery
    await wholeUpTo(first.url, LAST)
    await client.stop()
    return early + late
  })

  const rows = yield* Effect.gen(function* () {
    const sql = yield* SqlClient
    const [counts] = yield* sql<{ trades: number; written: number; connections: number; statements: number }>`
      select (select count(*) from trades)::integer as trades,
        ((select count(*) from tokens where registered_by = 'client') +
          (select count(*) from transactions where action <> 'DEPLOY'))::integer as written,
        (select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid())::integer
          as connections`
    return counts!
  }).pipe(Effect.provide(Database.layer(address)))
  const through = yield* Effect.gen(function* () {
    const sql = yield* SqlClient
    const [timeout] = yield* sql<{ statementTimeout: string }>`show statement_timeout`
    const [prepared] = yield* sql<{ count: number }>`select count(*)::integer as count from pg_prepared_statements`
    return { timeout: timeout!.statementTimeout, prepared: prepared!.count }
  }).pipe(Effect.provide(Database.layer({ url: Redacted.make(pooled) })))

  const failed = [...client.failures.values()].reduce((sum, times) => sum + times, 0)
  say(
    `requests ${client.requests}, of which ${failed} failed; writes acknowledged ${client.writes}, found ${rows.written}`,
  )
  say(`deliveries given up ${lost}; trades ${rows.trades} of ${TRADES}; proven up to slot ${LAST}`)
  say(
    `server connections ${rows.connections} of at most ${SERVER_CONNECTIONS}; statement_timeout ${through.timeout}; prepared statements on a connection ${through.prepared}`,
  )
  for (const [failure, times] of client.failures) say(`failed ${times} times: ${failure}`)
  expect(failed === 0, "requests failed")
  expect(rows.written >= client.writes, "acknowledged writes are missing")
  expect(lost === 0, "deliveries were given up")
  expect(rows.trades === TRADES, "the index is not whole")
  expect(rows.connections <= SERVER_CONNECTIONS, "more server connections than the pool has")
  expect(through.timeout === TIMEOUT, "the statement timeout does not hold")
  for (const fault of faults) say(`FAULT: ${fault}`)
  if (faults.length > 0) {
    process.exitCode = 1
    for (const { running } of [first, second, ...indexers]) say(running.output().slice(0, 3_000))
  }
})

NodeRuntime.runMain(Effect.scoped(main).pipe(Effect.provide(Logger.layer([]))))
