import type { Launch } from "@launch-registry/domain/launch/Launch"
import type { Address } from "@launch-registry/domain/solana/Address"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress, seededDraft, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { draftOf, follow, type Launch as Launched, launch, rollBack } from "../tokens/ChainLaunches.ts"
import { create, dataAt } from "../tokens/TokenRequests.ts"
import { indexTrades, ordinalOf, sampleTrade } from "./IndexedTrades.ts"
import { listings } from "../../src/markets/Listings.ts"
import { lockRegistration } from "../../src/markets/LaunchLock.ts"
import { compareAll } from "./ManyLaunches.ts"

/** Launches of a creator, by what is asked for. */
const of = (creator: string, query: string) =>
  Effect.map(dataAt(`/api/launch/pools?creator=${creator}&${query}`), (data) => data as ReadonlyArray<Launch>)

const isListed = Effect.fn(function* ({ creator, pool }: Launched, query: string) {
  return (yield* of(creator, query)).some((launch) => launch.pool === pool)
})

/** Its row, if there is one. */
const listingOf = ({ pool }: Launched) =>
  Effect.flatMap(SqlClient, (sql) => sql`select pool from launch_listings where pool = ${pool}`)

layer(TestServer.layer())("A launch", (it) => {
  it.effect("is listed as soon as the registry has followed it, and as registered while it is", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const made = yield* launch({
        config: sampleAddress(),
        name: "Evil\u202Eeman",
        symbol: "\u200B",
        uri: "javascript:alert(1)",
      })
      assert.isFalse(yield* isListed(made, "registered=any"))
      yield* follow
      assert.isFalse(yield* isListed(made, ""))
      const ofMint = (registered: string) =>
        dataAt(`/api/launch/pools?mintAddresses=${sampleAddress()},${made.baseMint}${registered}`)
      assert.deepStrictEqual(yield* ofMint(""), [])
      const [shown, ...others] = (yield* ofMint("&registered=any")) as ReadonlyArray<Launch>
      assert.deepStrictEqual([[shown], others], [yield* of(made.creator, "registered=false"), []])
      assert.deepInclude(shown, {
        name: "Evileman",
        symbol: made.baseMint.slice(0, 6),
        uri: "",
        stage: "curve",
        token: null,
      })
      const token = yield* create({
        ...{ mintAddress: made.baseMint, owner: made.creator, name: "Evileman", symbol: made.baseMint.slice(0, 6) },
        ...{ decimals: 6, totalSupply: "1000000000.000001" },
      })
      const [registered] = yield* of(made.creator, "")
      assert.strictEqual(registered!.token!.id, token.id)
      assert.isFalse(yield* isListed(made, "registered=false"))
      assert.strictEqual((yield* request(`/api/tokens/${token.id}`, { method: "DELETE" })).status, 200)
      assert.isFalse(yield* isListed(made, ""))
      assert.isTrue(yield* isListed(made, "registered=false"))
      yield* rollBack(made)
      assert.isFalse(yield* isListed(made, "registered=any"))
      assert.deepStrictEqual(yield* listingOf(made), [])
    }),
  )

  it.effect("moves through the stages with its trades", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const mint = SEEDED_MINTS.spl
      yield* create(seededDraft(mint))
      const { config, pool } = (yield* sql<{ readonly pool: string; readonly config: string }>`
        select pool, config from dbc_pools where base_mint = ${mint}`)[0]!
      yield* compareAll
      // Asked for, and learned a moment later.
      const market = Effect.map(dataAt(`/api/tokens/mint/${mint}?include=market`), ({ market }) => market)
      yield* Effect.repeat(market, { until: ({ marketCap }) => marketCap !== null })
      const listed = (query: string) =>
        Effect.map(dataAt(`/api/launch/pools?config=${config}&${query}`), (data: ReadonlyArray<Launch>) =>
          data.some((launch) => launch.pool === pool),
        )
      const progress = Effect.map(
        sql<{ readonly progress: number }>`select progress from launch_listings where pool = ${pool}`,
        ([row]) => row!.progress,
      )
      assert.strictEqual(yield* progress, 0)
      const { migrationQuoteThreshold } = yield* dataAt(`/api/launch/pool/config/${mint}`)
      const quoteReserve = String(BigInt(migrationQuoteThreshold) / 4n)
      yield* indexTrades([{ ...sampleTrade({ baseMint: mint, pool }), quoteReserve } as never])
      yield* commitChanges(sampleChange("pool", mint, { pool }))
      yield* follow
      assert.approximately(yield* progress, 250_000, 1)
      assert.isTrue(yield* listed("sort=progress"))
      yield* sql`update dbc_pools set completed_slot = 7 where pool = ${pool}`
      yield* commitChanges(sampleChange("graduation", mint, { pool, stage: "completed" }))
      yield* follow
      assert.isFalse(yield* listed("sort=progress"))
      assert.isTrue(yield* listed("stage=completed"))
      yield* sql`update dbc_pools set migrated_slot = 8, migrated_at = now() where pool = ${pool}`
      yield* commitChanges(sampleChange("graduation", mint, { pool, stage: "migrated" }))
      yield* follow
      assert.isTrue(yield* listed("sort=graduated"))
      // What the AMM pool holds says nothing about the curve.
      const onAmm = sampleTrade({ baseMint: mint, ordinal: ordinalOf(9n), venue: "damm_v2", quoteReserve: "7" })
      yield* sql`insert into trades ${sql.insert({ ...onAmm })}`
      yield* compareAll
      assert.strictEqual(yield* progress, 1_000_000)
      // A fork: it had not migrated.
      yield* sql`update dbc_pools set migrated_slot = null, migrated_at = null where pool = ${pool}`
      yield* commitChanges(sampleChange("revert", "", { pools: [pool], mintAddresses: [] }))
      yield* follow
      assert.isFalse(yield* listed("sort=graduated"))
    }),
  )

  it.effect("is found by a comparison when no change said so", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [gone, late, unseen] = [
        yield* launch({ config: sampleAddress() }),
        yield* launch({ config: sampleAddress() }),
        sampleAddress(),
      ]
      yield* follow
      yield* sql`delete from dbc_pools where pool = ${gone.pool}`
      yield* sql`update dbc_pools set created_at = '2026-01-01', config = ${unseen} where pool = ${late.pool}`
      const id = crypto.randomUUID()
      // A process of the version before.
      yield* sql`
        insert into tokens ${sql.insert({
          ...tokenDraft({ id, mintAddress: late.baseMint, owner: late.creator, decimals: 6 }),
          ...{ createdAt: new Date(), updatedAt: new Date() },
        } as never)}`
      yield* compareAll
      assert.isFalse(yield* isListed(gone, "registered=any"))
      assert.deepStrictEqual(yield* listingOf(gone), [])
      const [launched] = yield* of(late.creator, "")
      assert.deepInclude(launched, { config: unseen as Address, launchedAt: "2026-01-01T00:00:00.000Z" })
      assert.strictEqual(launched!.token!.id as string, id)
    }),
  )

  it.effect("is listed as registered when a registration ends while it is compared", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const made = yield* launch({ config: sampleAddress() })
      const isInserted = yield* Deferred.make<void>()
      const mayEnd = yield* Deferred.make<void>()
      const registering = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.gen(function* () {
            yield* lockRegistration(sql)
            yield* sql`
              insert into tokens ${sql.insert({
                ...{ ...draftOf(made), id: crypto.randomUUID() },
                ...{ createdAt: new Date(), updatedAt: new Date() },
              } as never)}`
            yield* listings(sql).register([made.baseMint], true)
            yield* Deferred.succeed(isInserted, undefined)
            yield* Deferred.await(mayEnd)
          }),
        ),
      )
      yield* Deferred.await(isInserted)
      const comparing = yield* Effect.forkChild(compareAll)
      const waiting = sql`select from pg_locks where locktype = 'advisory' and not granted`
      yield* Effect.repeat(waiting, {
        until: (rows) => rows.length > 0 || comparing.pollUnsafe() !== undefined,
      })
      yield* Deferred.succeed(mayEnd, undefined)
      yield* Fiber.join(registering)
      yield* Fiber.join(comparing)
      assert.isTrue(yield* isListed(made, "registered=true"))
    }),
  )
})
