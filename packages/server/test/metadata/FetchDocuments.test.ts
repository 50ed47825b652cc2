import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import type { MetadataOptions } from "../../src/metadata/DocumentUrls.ts"
import { fetchDocuments, FetchDocumentsLayer } from "../../src/metadata/FetchDocuments.ts"
import { FetchFigures } from "../../src/metadata/FetchFigures.ts"
import { until } from "../notifications/Until.ts"
import { DocumentHost, json } from "./DocumentHost.ts"

/** From loopback and without a pace, with a deadline that no test reaches. */
const OPTIONS: MetadataOptions = { gateways: [], allowsPrivate: true, timeoutMillis: 300_000, paceMillis: 0 }

const LAUNCHED = Date.parse("2026-11-21T09:30:00Z")

/** Launches with these URIs, each a second after the one before; their mints. */
const launch = Effect.fnUntraced(function* (uris: ReadonlyArray<string>) {
  const sql = yield* SqlClient
  const launches = uris.map((uri, second) => ({
    ...{ pool: sampleAddress(), baseMint: sampleAddress(), quoteMint: SOL, config: sampleAddress(), creator: "" },
    ...{ name: "", symbol: "", uri, poolType: 0, createdSlot: 0n, createdAt: new Date(LAUNCHED + second * 1_000) },
  }))
  for (const row of launches) yield* sql`insert into dbc_pools ${sql.insert(row)}`
  return launches.map(({ baseMint }) => baseMint)
})

/** Looks at all launches, whoever looked last. */
const findAll = Effect.fnUntraced(function* ({ find }: Effect.Success<ReturnType<typeof fetchDocuments>>) {
  const sql = yield* SqlClient
  yield* sql`update server_progress set done_at = '-infinity', compared_to = '' where name = 'documents'`
  return yield* find
})

const isDue = Effect.flatMap(
  SqlClient,
  (sql) => sql`update fetched_documents set due_at = now() - interval '1 second' where due_at is not null`,
)

const rowOf = (mint: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.map(
      sql<
        { readonly [Column in "site" | "fault" | "source"]: string | null } & {
          readonly attempts: number
          readonly isOver: boolean
          readonly document: unknown
        }
      >`
        select site, attempts, fault, source, document, due_at is null as is_over from fetched_documents where mint = ${mint}`,
      ([row]) => row,
    ),
  )

const empty = Effect.flatMap(SqlClient, (sql) =>
  Effect.andThen(sql`delete from fetched_documents`, sql`delete from dbc_pools`),
)

layer(Layer.merge(TestDatabase.layer, FetchFigures.layer), { excludeTestServices: true })("Documents", (it) => {
  it.effect("of launches are fetched once each, from where they say, in one request", () =>
    Effect.gen(function* () {
      yield* empty
      const host = yield* DocumentHost.make
      host.answers.set("/1.json", json({ description: "One", image: "https://a.example/1.png" }))
      host.answers.set("/2.json", json({}))
      const uris = [`${host.url}/1.json`, `${host.url}/2.json`, "", "ar://x", "https://user@tokens.example/"]
      const [one, two, ...none] = yield* launch(uris)
      const worker = yield* fetchDocuments(OPTIONS)
      assert.strictEqual(yield* findAll(worker), 2)
      assert.strictEqual(yield* worker.find, 0)
      assert.strictEqual(yield* findAll(worker), 0)
      assert.deepStrictEqual((yield* worker.dueSites("")).sites, ["127.0.0.1"])
      yield* worker.fetchFrom("127.0.0.1")
      yield* worker.fetchFrom("127.0.0.1")
      assert.sameMembers(host.asked, ["/1.json", "/2.json"])
      assert.deepInclude(yield* rowOf(one!), {
        ...{ document: { description: "One", image: "https://a.example/1.png" }, source: "127.0.0.1", isOver: true },
        ...{ attempts: 1, fault: null },
      })
      assert.deepInclude(yield* rowOf(two!), { document: {}, isOver: true })
      for (const mint of none) assert.isUndefined(yield* rowOf(mint))
      assert.deepStrictEqual((yield* worker.dueSites("")).sites, [])
    }),
  )

  it.effect("that fail are asked for five times, at another gateway each time, with pauses", () =>
    Effect.gen(function* () {
      yield* empty
      const host = yield* DocumentHost.make
      host.answers.set("/no-json", (response) => void response.end("<html>busy</html>"))
      const cid = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG"
      const [mint, unread] = yield* launch([`ipfs://${cid}`, `${host.url}/no-json`])
      const worker = yield* fetchDocuments({ ...OPTIONS, gateways: [`${host.url}/a`, `${host.url}/b`] })
      yield* findAll(worker)
      const figures = yield* FetchFigures
      const before = figures.of("status")
      for (let attempt = 1; attempt <= 6; attempt++) {
        yield* worker.fetchFrom("ipfs")
        // Its pause is not over.
        yield* worker.fetchFrom("ipfs")
        assert.strictEqual(host.asked.length, Math.min(attempt, 5))
        yield* isDue
      }
      assert.deepStrictEqual(host.asked, [`/a/${cid}`, `/b/${cid}`, `/a/${cid}`, `/b/${cid}`, `/a/${cid}`])
      assert.deepInclude(yield* rowOf(mint!), { attempts: 5, fault: "status", isOver: true, document: null })
      assert.strictEqual(figures.of("status") - before, 5)
      yield* worker.fetchFrom("127.0.0.1")
      assert.deepInclude(yield* rowOf(unread!), { attempts: 1, fault: "malformed", isOver: false, document: null })
    }),
  )

  it.effect("of one host are asked for four at a time, the newest launches first, and hold up no other host", () =>
    Effect.gen(function* () {
      yield* empty
      const slow = yield* DocumentHost.make
      const quick = yield* DocumentHost.make
      let release: () => void = () => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      const uris = Array.from({ length: 20 }, (_, number) => `${slow.url}/${number}`)
      for (const [number] of uris.entries())
        slow.answers.set(`/${number}`, (response, request) => void released.then(() => json({})(response, request)))
      quick.answers.set("/1", json({}))
      yield* launch(uris)
      const [mint] = yield* launch([`${quick.url.replace("127.0.0.1", "localhost")}/1`])
      const worker = yield* fetchDocuments({
        ...OPTIONS,
        resolveHost: () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
      })
      yield* findAll(worker)
      const fiber = yield* Effect.forkChild(worker.fetchFrom("127.0.0.1"))
      yield* until(
        Effect.sync(() => slow.inFlight),
        (count) => count === 4,
      )
      const newest = Array.from({ length: 8 }, (_, number) => `/${number + 12}`)
      assert.includeMembers(newest, slow.asked)
      // What is claimed is no other process's, and the rest is due.
      assert.sameMembers([...(yield* worker.dueSites("")).sites], ["127.0.0.1", "localhost"])
      yield* worker.fetchFrom("localhost")
      assert.deepInclude(yield* rowOf(mint!), { isOver: true, source: "localhost" })
      release()
      yield* Fiber.join(fiber)
      assert.strictEqual(slow.mostInFlight, 4)
      assert.lengthOf(new Set(slow.asked), 20)
      assert.lengthOf(slow.asked, 20)
    }),
  )

  it.effect("that were being fetched when the process ended are due again", () =>
    Effect.gen(function* () {
      yield* empty
      const host = yield* DocumentHost.make
      host.answers.set("/1", () => undefined)
      const [mint] = yield* launch([`${host.url}/1`])
      const worker = yield* fetchDocuments(OPTIONS)
      yield* findAll(worker)
      const fiber = yield* Effect.forkChild(worker.fetchFrom("127.0.0.1"))
      yield* until(
        Effect.sync(() => host.inFlight),
        (count) => count === 1,
      )
      yield* Fiber.interrupt(fiber)
      host.answers.set("/1", json({}))
      yield* worker.fetchFrom("127.0.0.1")
      assert.deepInclude(yield* rowOf(mint!), { isOver: true, document: {}, attempts: 2 })
    }),
  )

  it.effect("follow a launch to another URI, also while the one before is fetched, and leave with it", () =>
    Effect.gen(function* () {
      yield* empty
      const sql = yield* SqlClient
      const host = yield* DocumentHost.make
      let release: () => void = () => undefined
      const released = new Promise<void>((resolve) => (release = resolve))
      const before = json({ description: "Before" })
      host.answers.set("/1", (response, request) => void released.then(() => before(response, request)))
      host.answers.set("/2", json({ description: "After" }))
      const [mint] = yield* launch([`${host.url}/1`])
      const worker = yield* fetchDocuments(OPTIONS)
      yield* findAll(worker)
      const fiber = yield* Effect.forkChild(worker.fetchFrom("127.0.0.1"))
      yield* until(
        Effect.sync(() => host.inFlight),
        (count) => count === 1,
      )
      const label = { mint: mint!, name: "", symbol: "", uri: `${host.url}/2` }
      yield* sql`insert into token_labels ${sql.insert({ ...label, isFinal: false, slot: 1n, readAt: new Date() })}`
      assert.strictEqual(yield* findAll(worker), 1)
      const other = yield* Effect.forkChild(worker.fetchFrom("127.0.0.1"))
      yield* Fiber.join(other)
      release()
      yield* Fiber.join(fiber)
      assert.deepInclude(yield* rowOf(mint!), { document: { description: "After" }, isOver: true })
      yield* sql`delete from dbc_pools where base_mint = ${mint!}`
      yield* findAll(worker)
      assert.isUndefined(yield* rowOf(mint!))
    }),
  )

  it.effect("are looked for and fetched for as long as the process lives, content of IPFS from a gateway", () =>
    Effect.gen(function* () {
      yield* empty
      const sql = yield* SqlClient
      yield* sql`update server_progress set done_at = '-infinity', compared_to = '' where name = 'documents'`
      const host = yield* DocumentHost.make
      const cid = "QmYwAPJzv5CZsnA625s3Xf2nemtYgPpHdWEz79ojWnPbdG"
      host.answers.set("/1", json({}))
      host.answers.set(`/ipfs/${cid}`, json({}))
      const mints = yield* launch([`${host.url}/1`, `ipfs://${cid}`])
      yield* Layer.build(FetchDocumentsLayer({ ...OPTIONS, gateways: [`${host.url}/ipfs`] }))
      for (const mint of mints) yield* until(rowOf(mint), (row) => row?.isOver === true)
      assert.sameMembers(host.asked, ["/1", `/ipfs/${cid}`])
      yield* Layer.build(FetchDocumentsLayer(undefined))
    }),
  )

  it.effect("of any number of hosts have their turn", () =>
    Effect.gen(function* () {
      yield* empty
      const hosts = Array.from({ length: 150 }, (_, number) => `host-${number}.example`)
      yield* launch(hosts.map((host) => `https://${host}/1.json`))
      const worker = yield* fetchDocuments(OPTIONS)
      yield* findAll(worker)
      const seen: Array<string> = []
      let after = ""
      do {
        const { next, sites } = yield* worker.dueSites(after)
        assert.isAtMost(sites.length, 64)
        seen.push(...sites)
        after = next
      } while (after !== "")
      assert.sameMembers(seen, hosts)
    }),
  )
})
