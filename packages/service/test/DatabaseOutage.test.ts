import { readFileSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { empty } from "@launch-registry/migrations/TestDatabase"
import { TestDoor } from "@launch-registry/migrations/TestDoor"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Logger, Redacted } from "effect"
import { assertDeclared } from "./ContractCheck.ts"
import { tokenDraft, transactionDraft } from "./Samples.ts"
import { killPostgres } from "./durability/KillPostgres.ts"
import { answering, freePort, run } from "./RunningService.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"

const SECRET = "the-secret-of-the-webhooks"
const METADATA = { name: "Once", symbol: "ONCE", description: "d", imageUri: "https://example.com/i.png" }
/** Fast shutdown, immediate shutdown, and one that waits for connected clients and accepts no new ones. */
const STOPS = ["SIGINT", "SIGKILL", "SIGTERM"] as const
const CALLERS = 8
/** A request that waits longer than this waits forever: statements end after 15 seconds. */
const UNANSWERED_MILLIS = 120_000

const post = (json: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: "POST",
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(json),
})

/** A request to every part that needs the database, also outside of the contract. */
const REQUESTS: ReadonlyArray<() => readonly [path: string, init?: RequestInit]> = [
  () => ["/api/tokens?limit=5"],
  () => ["/api/tokens"],
  () => ["/api/tokens", post(tokenDraft(), { "idempotency-key": crypto.randomUUID() })],
  () => ["/api/transactions", post(transactionDraft())],
  () => ["/api/ipfs/upload-metadata", post({ ...METADATA, name: crypto.randomUUID() })],
  () => ["/api/launch/whitelist", post({ tokenAddress: SEEDED_MINTS.spl })],
  () => [`/api/launch/pool/${SEEDED_MINTS.spl}/trades`],
  () => ["/api/webhooks/helius", post([{ serial: crypto.randomUUID() }], { authorization: SECRET })],
  () => ["/ipfs/bafkreic6pgujblnigil6h5yuj27fd3fikf4l6skr6yghucz3tlskmlzzoa"],
  () => ["/api/stream"],
  () => ["/api/system/indexer"],
  () => ["/readyz"],
]

/** A service on this database that stops with the scope, whether it has started or not. */
const serviceOn = (databaseUrl: string, folder: string) =>
  Effect.gen(function* () {
    const port = yield* Effect.promise(freePort)
    const service = yield* Effect.acquireRelease(
      Effect.sync(() =>
        run({
          ...{ DATABASE_URL: databaseUrl, DATA_FOLDER: folder, PORT: String(port), HELIUS_WEBHOOK_SECRET: SECRET },
        }),
      ),
      ({ ended, process: child }) =>
        Effect.promise(async () => {
          child.kill("SIGTERM")
          await ended
        }),
    )
    return { ...service, url: `http://127.0.0.1:${port}` }
  })

/** The pid of the server, or 0 when there is none. */
const postmasterOf = (folder: string): number => {
  try {
    return Number(readFileSync(join(folder, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0])
  } catch {
    // It is deleted at any time.
    return 0
  }
}

interface Seen {
  readonly what: string
  readonly status: number
  readonly retryAfter: string | null
}

const ask = async (url: string, path: string, init: RequestInit = {}): Promise<Seen> => {
  const { method = "GET" } = init
  const response = await fetch(`${url}${path}`, { ...init, signal: AbortSignal.timeout(UNANSWERED_MILLIS) }).catch(
    (cause: unknown) => Promise.reject(new Error(`${method} ${path}`, { cause })),
  )
  const [contentType, retryAfter] = [response.headers.get("content-type"), response.headers.get("retry-after")]
  // A stream is endless; other answers may be cut off.
  if (contentType === "text/event-stream") await response.body!.cancel()
  else {
    const text = await response.text().catch(() => undefined)
    if (text !== undefined) assertDeclared({ method, url: path, status: response.status, contentType, text })
  }
  return { what: `${method} ${path}`, status: response.status, retryAfter }
}

const NEEDING_DATABASE = [
  "GET /api/tokens",
  "POST /api/tokens",
  "GET /api/stream",
  "POST /api/webhooks/helius",
  "GET /readyz",
]
const STOPS_MORE = 5

describe("A restart of PostgreSQL", () => {
  it.live("causes 503 with Retry-After where it is needed, never 500, and the service recovers by itself", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { address } = yield* Effect.provide(embeddedPostgres({ folder: withNewCluster(folder) }), Logger.layer([]))
      const databaseUrl = `postgres://${address.username}@localhost/${address.database}?host=${address.socketDirectory}`
      const service = yield* serviceOn(databaseUrl, join(folder, "service"))
      const { url } = service
      const seen: Array<Seen> = []
      const faults = () => seen.filter(({ status }) => status >= 500)
      yield* Effect.promise(async () => {
        await answering(service, url)
        let isAsking = true
        const caller = async (from: number) => {
          for (let at = from; isAsking; at++) seen.push(await ask(url, ...REQUESTS[at % REQUESTS.length]!()))
        }
        const callers = Promise.all(Array.from({ length: CALLERS }, (_, at) => caller(at * 3)))
        const isAnswered = async () => (await ask(url, "/api/tokens?limit=1")).status === 200
        // What is asked while it is away is chance, so it is stopped until each has been.
        const stops = [...STOPS, ...Array.from({ length: STOPS_MORE }, () => "SIGKILL" as const)]
        for (const [at, stop] of stops.entries()) {
          if (at >= STOPS.length && NEEDING_DATABASE.every((one) => faults().some(({ what }) => what === one))) break
          const pid = postmasterOf(folder)
          if (stop === "SIGKILL") await killPostgres(folder, AbortSignal.timeout(60_000))
          else process.kill(pid, stop)
          // It waits for connected clients until it is told not to, and accepts no new ones meanwhile.
          if (stop === "SIGTERM") {
            const before = seen.length
            while (seen.length < before + REQUESTS.length) await sleep(10)
            process.kill(pid, "SIGINT")
          }
          while (postmasterOf(folder) === pid || !(await isAnswered())) await sleep(20)
        }
        isAsking = false
        await callers
      })
      assert.deepStrictEqual(
        faults().filter(({ retryAfter, status }) => status !== 503 || !(Number(retryAfter) > 0)),
        [],
      )
      assert.includeMembers(
        faults().map(({ what }) => what),
        NEEDING_DATABASE,
      )
    }).pipe(Effect.scoped),
  )

  it.live("is waited for at every step of the service's start", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const door = yield* TestDoor.make
      const database = yield* empty
      door.refusals = 1
      door.shut("57P03")
      const service = yield* serviceOn(Redacted.value(door.addressOf(database).url), folder)
      yield* Effect.promise(async () => {
        // Each attempt gets further than the one before, or the service would never start.
        for (let outage = 1; !service.output().includes(" is up ("); outage++) {
          while (door.refused < outage && !service.output().includes(" is up (")) {
            assert.isNull(service.process.exitCode, service.output())
            await sleep(5)
          }
          door.shutsAt = door.passed + 3 * outage
        }
        door.shutsAt = Number.POSITIVE_INFINITY
        door.open()
        while ((await ask(service.url, "/api/tokens")).status !== 200) await sleep(50)
      })
      assert.isAtLeast(door.refused, 3)
      assert.include(service.output(), "The database is not available yet, retrying")
    }).pipe(Effect.scoped),
  )
})
