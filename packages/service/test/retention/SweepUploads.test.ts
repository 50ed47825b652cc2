import { UploadReferences } from "@launch-registry/domain/ipfs/UploadReferences"
import { buildDag, type FileDag } from "@launch-registry/ipfs/content/Dag"
import { IpfsContent } from "@launch-registry/ipfs/content/IpfsContent"
import { namesOf } from "@launch-registry/ipfs/content/CidNames"
import { sweepUploads } from "@launch-registry/ipfs/retention/SweepUploads"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SEED } from "../../../../scripts/Laws.ts"
import { randomOf } from "../Random.ts"
import { sampleAddress } from "../Samples.ts"
import { rolledBack } from "./RolledBack.ts"
import { assertStored, blocksOf, cidOf, isWhole, sweptContent } from "./SweptContent.ts"

const KEPT_DAYS = 30
const WORLDS = 4
const DAYS = 60
/** Small leaves and nodes, so that files share both. */
const CHUNK_BYTES = 4

const file = (text: string) => buildDag(new TextEncoder().encode(text), CHUNK_BYTES)
const documentOf = (text: string) => buildDag(new TextEncoder().encode(text))

const store = Effect.fnUntraced(function* (dag: FileDag, contentType = "image/png") {
  yield* (yield* IpfsContent).store(dag, { contentType })
})

/** Registers a token with this URI. */
const registerToken = Effect.fnUntraced(function* (tokenUri: string, deletedAt: Date | null = null) {
  const sql = yield* SqlClient
  const [id] = yield* sql<{ id: string }>`select gen_random_uuid() as id`
  const at = new Date(0)
  yield* sql`insert into tokens ${sql.insert({
    ...{ id: id!.id, mintAddress: sampleAddress(), name: "T", symbol: "T", totalSupply: "1", decimals: 6 },
    ...{ owner: sampleAddress(), launchpad: "launchpad_a", tokenUri, createdAt: at, updatedAt: at, deletedAt },
  })}`
})

/** As if that much time had passed. */
const passDays = Effect.fnUntraced(function* (days: number) {
  const sql = yield* SqlClient
  yield* sql`update ipfs_uploads set used_at = used_at - interval '1 day' * ${days}::integer`
})

const sweepNow = Effect.flatMap(sweepUploads, (sweep) => sweep(KEPT_DAYS))

/** An upload of a random world. */
interface Uploaded {
  readonly dag: FileDag
  /** CIDs that a document names. */
  readonly names: ReadonlyArray<string>
  day: number
}

/** Stores random files and documents on many days, some of them again, and names some in tokens; returns what is to be kept. */
const randomWorld = Effect.fnUntraced(function* (seed: number) {
  const random = randomOf(seed)
  const pick = <A>(from: ReadonlyArray<A>) => from[random(from.length)]!
  const uploads = new Map<string, Uploaded>()
  const chunks = ["aaaa", "bbbb", "cccc", "dddd", "ee"]
  for (let day = 0; day < DAYS; day++) {
    const known = [...uploads.keys()]
    const isDocument = known.length > 0 && random(3) === 0
    const names = isDocument ? Array.from({ length: 1 + random(2) }, () => pick(known)) : []
    const text = isDocument
      ? JSON.stringify({
          seed,
          day: random(20),
          image: names.map((cid) => `https://gw.example/ipfs/${pick(namesOf(cid))}?v=1`),
        })
      : Array.from({ length: 1 + random(12) }, () => pick(chunks)).join("")
    const dag = isDocument ? documentOf(text) : file(text)
    yield* store(dag, isDocument ? "application/json" : "image/png")
    yield* passDays(1)
    const before = uploads.get(cidOf(dag))
    uploads.set(cidOf(dag), { dag, names: before?.names ?? names, day })
  }
  const named = new Set<string>()
  for (const cid of uploads.keys())
    if (random(6) === 0) {
      named.add(cid)
      yield* registerToken(`https://${pick(namesOf(cid))}.ipfs.example/`)
    }
  // The last upload was a day ago.
  const isYoung = (day: number) => DAYS - day <= KEPT_DAYS
  const kept = new Set([...uploads].flatMap(([cid, { day }]) => (isYoung(day) || named.has(cid) ? [cid] : [])))
  // A set can grow while it is walked.
  for (const cid of kept) {
    const { dag, names } = uploads.get(cid)!
    for (const needed of [...names, ...blocksOf([dag])]) if (uploads.has(needed)) kept.add(needed)
  }
  return { kept: [...kept].map((cid) => uploads.get(cid)!.dag), all: uploads.size }
})

describe("Sweeping uploads", () => {
  it.effect("keeps exactly what was used lately or is named, whole, through documents and shared blocks", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      let deleted = 0
      for (let world = 0; world < WORLDS; world++) {
        const { all, kept } = yield* randomWorld(SEED * 1_000 + world)
        yield* sweepNow
        yield* assertStored(kept)
        for (const dag of kept) assert.isTrue(yield* isWhole(dag))
        deleted += all - kept.length
        for (const table of ["ipfs_uploads", "ipfs_blocks", "tokens"]) yield* sql`delete from ${sql(table)}`
      }
      assert.isAbove(deleted, 10)
    }).pipe(Effect.provide(sweptContent)),
  )

  it.effect(
    "counts the age from the last upload, from when it was last found in use, and stores again what it deleted",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [once, twice, used] = [file("stored once"), file("stored twice"), file("used for a time")]
        for (const dag of [once, twice, used]) yield* store(dag)
        yield* registerToken(`ipfs://${cidOf(used)}`)
        yield* passDays(29)
        yield* store(twice)
        yield* sweepNow
        yield* assertStored([once, twice, used])
        yield* passDays(2)
        yield* sweepNow
        yield* assertStored([twice, used])
        yield* sql`delete from tokens`
        yield* passDays(29)
        yield* sweepNow
        yield* assertStored([used])
        yield* passDays(2)
        yield* sweepNow
        yield* assertStored([])
        yield* store(once)
        yield* sweepNow
        yield* assertStored([once])
        assert.isTrue(yield* isWhole(once))
      }).pipe(Effect.provide(sweptContent)),
  )

  it.effect("keeps what a backend is still to get", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [waiting, delivered] = [file("waiting"), file("delivered")]
      for (const dag of [waiting, delivered]) {
        yield* store(dag)
        yield* sql`insert into ipfs_deliveries ${sql.insert({
          ...{ cid: cidOf(dag), backend: "filebase", destination: "a bucket", contentType: "image/png", sizeBytes: 9n },
          ...{ createdAt: new Date(0), nextAttemptAt: new Date(0), deliveredAt: dag === waiting ? null : new Date(0) },
        })}`
      }
      yield* passDays(31)
      yield* sweepNow
      yield* assertStored([waiting])
      // What the backend has stays known.
      assert.lengthOf(yield* sql`select from ipfs_deliveries`, 2)
    }).pipe(Effect.provide(sweptContent)),
  )

  it.effect("deletes nothing while the index may lack launches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* store(file("unnamed"))
      yield* passDays(31)
      for (const lost of [
        sql`update leases set expires_at = '2000-01-01'`,
        sql`update coverage set to_slot = 200, from_slot = 150`,
        sql`update indexer_reports set report = report || '{"source":"off"}'`,
        sql`delete from leases`,
        sql`
          insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
          values (1, 0, 1, 's', 'r', 'm')`,
      ]) {
        yield* Effect.gen(function* () {
          yield* lost
          yield* sweepNow
          yield* assertStored([file("unnamed")])
        }).pipe(rolledBack)
      }
      yield* sweepNow
      yield* assertStored([])
    }).pipe(Effect.provide(sweptContent)),
  )

  it.effect("finds names in every table by its index", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { named } = yield* UploadReferences
      const scans = yield* sql.withTransaction(
        Effect.andThen(
          named(["aWord"], KEPT_DAYS),
          sql`
            select relname as index, pg_stat_get_xact_numscans(oid)::integer as scans from pg_class
            where relname like '%words' order by relname`,
        ),
      )
      const indexes = ["dbc_pools", "launch_configs", "launch_deployments", "tokens"]
      assert.deepStrictEqual(
        scans,
        indexes.map((table) => ({ index: `${table}_words`, scans: 1 })),
      )
    }).pipe(Effect.provide(sweptContent)),
  )

  it.effect("finds what shares blocks by index, for each block", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const dags = ["sharedOLD!", "other"].map(file)
      for (const dag of dags) yield* store(dag)
      yield* passDays(31)
      const looks = yield* sql.withTransaction(
        Effect.andThen(
          sweepNow,
          sql<{ readonly scans: number }>`
            select pg_stat_get_xact_numscans('ipfs_uploads_links'::regclass)::integer as scans`,
        ),
      )
      // One for what links to the two, and one for each of their blocks.
      assert.isAtLeast(looks[0]!.scans, 1 + blocksOf(dags).length)
    }).pipe(Effect.provide(sweptContent)),
  )
})
