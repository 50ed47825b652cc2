import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import type { LastHolderCount } from "@launch-registry/domain/pools/HolderCount"
import type { TrustReport } from "@launch-registry/domain/trust/TrustReport"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { jsonServer } from "../../../chain/test/JsonServer.ts"
import { seededDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { compareAll } from "../launch/ManyLaunches.ts"
import { create, dataAt } from "./TokenRequests.ts"

const PAGE = 1_000
/** The largest account of the mint on the local chain. */
const ON_CHAIN = { address: "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e", amount: "96463029603365" }
/** Pages of the index that are read at most. */
const PAGES_MAX = 100
const { spl: MINT, token2022: OTHER } = SEEDED_MINTS

const OWNERS = Array.from({ length: PAGE }, (_, index) => {
  const bytes = new Uint8Array(32).fill(7)
  new DataView(bytes.buffer).setUint32(0, index)
  return encodeBase58(bytes)
})

/** How many token accounts the index says that a mint has; each page has one of each owner. */
class Accounts extends Context.Service<Accounts, { count: number }>()("Accounts") {}
/** Messages of the service. */
class Logged extends Context.Service<Logged, Array<string>>()("Logged") {}

interface DasCall {
  readonly params: { readonly cursor?: string }
}

/** The API over the local chain and an index of token accounts. */
const services = Layer.unwrap(
  Effect.gen(function* () {
    const accounts = { count: 3 }
    const logged: Array<string> = []
    const dasUrl = yield* jsonServer<DasCall>(({ params: { cursor = "0" } }, response) => {
      const first = Number(cursor)
      const end = Math.min(first + PAGE, accounts.count)
      const page = OWNERS.slice(0, end - first).map((owner) => ({ owner, amount: 1 }))
      const result = { token_accounts: page, ...(end < accounts.count && { cursor: String(end) }) }
      response.end(JSON.stringify({ jsonrpc: "2.0", id: "holders", result }))
    })
    const observation = Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])
    return Layer.mergeAll(
      Layer.succeed(Accounts, accounts),
      Layer.succeed(Logged, logged),
      TestServer.layer({ dasUrl, observation }),
    )
  }),
)

const holdersOf = (mint: string) => Effect.flatMap(TestServer, ({ request }) => request(`/api/tokens/holders/${mint}`))
const countOf = (mint: string) => dataAt(`/api/tokens/holders/${mint}/count`)

/** The last answer is over; the next is read from the chain. */
const readAgain = TestClock.adjust("101 seconds")

const stored = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly mintAddress: string; readonly holders: number; readonly isWhole: boolean }>`
    select mint_address, holders, is_whole from holder_counts order by mint_address`,
)

/** Once a mint has this count. */
const storedCount = (mint: string, holders: number) =>
  Effect.repeat(stored, {
    until: (rows) => rows.some((row) => row.mintAddress === mint && row.holders === holders),
  })

interface Row {
  readonly mintAddress: string
  readonly market: { readonly holders: LastHolderCount | null } | null
}

/** The count that each read with markets has of a mint. */
const countsIn = Effect.fn(function* (mint: string, id: string) {
  const counts: Record<string, LastHolderCount | null | undefined> = {}
  for (const path of [
    ...["/api/tokens?include=market", "/api/tokens?limit=50&include=market", "/api/tokens/popular?include=market"],
    ...[`/api/tokens/search?q=${mint}&include=market`, `/api/tokens/mint/${mint}?include=market`],
    ...[`/api/tokens/${id}?include=market`, "/api/launch/pools?include=market"],
  ]) {
    const rows = [yield* dataAt(path)].flat() as ReadonlyArray<Row>
    counts[path] = rows.find(({ mintAddress }) => mintAddress === mint)?.market?.holders
  }
  return counts
})

layer(services)("Counts of holders", (it) => {
  it.effect("are in lists once holders were read from the chain, and never before", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      const { fetch } = yield* TestServer
      const { id } = yield* create(seededDraft(MINT))
      yield* compareAll
      for (const [path, holders] of Object.entries(yield* countsIn(MINT, id))) assert.isNull(holders, path)
      assert.deepStrictEqual(yield* countOf(MINT), { count: 3, isWhole: true })
      yield* storedCount(MINT, 3)
      const seen = yield* countsIn(MINT, id)
      const { holders: report } = (yield* dataAt(`/api/tokens/trust/${MINT}`)) as TrustReport
      for (const [path, holders] of Object.entries(seen))
        assert.deepInclude(holders, { count: 3, isWhole: true, top10Share: report!.top10Share }, path)
      const etags = new Map<string, string>()
      for (const path of Object.keys(seen)) {
        const etag = (yield* fetch(path)).headers.get("etag")!
        assert.strictEqual((yield* fetch(path, { headers: { "if-none-match": etag } })).status, 304, path)
        etags.set(path, etag)
      }
      accounts.count = 4
      yield* readAgain
      yield* dataAt(`/api/tokens/trust/${MINT}`)
      yield* storedCount(MINT, 4)
      for (const [path, etag] of etags)
        assert.strictEqual((yield* fetch(path, { headers: { "if-none-match": etag } })).status, 200, path)
      for (const [path, holders] of Object.entries(yield* countsIn(MINT, id)))
        assert.deepInclude(holders, { count: 4, isWhole: true }, path)
    }),
  )

  it.effect("say where there are more than are read, in the answers of holders and in lists", () =>
    Effect.gen(function* () {
      const accounts = yield* Accounts
      accounts.count = PAGES_MAX * PAGE + 1
      yield* readAgain
      const { body } = yield* holdersOf(`${MINT}?limit=2`)
      assert.deepInclude(body, { success: true, isWhole: false })
      assert.lengthOf(body.data, 2)
      assert.isString(body.pagination.nextCursor)
      const { body: balances } = yield* holdersOf(`${MINT}?include=balances`)
      assert.isFalse(balances.isWhole)
      // The largest of all, then those that were read.
      assert.deepInclude(balances.data[0], ON_CHAIN)
      assert.deepInclude(balances.data[1], { amount: String(PAGES_MAX) })
      assert.deepStrictEqual(yield* countOf(MINT), { count: PAGE + 1, isWhole: false })
      const { holders } = yield* dataAt(`/api/tokens/trust/${MINT}`)
      assert.deepInclude(holders, { count: PAGE + 1, isWhole: false, creatorShare: null, top10Share: 0.096463 })
      yield* storedCount(MINT, PAGE + 1)
      const { market } = yield* dataAt(`/api/tokens/mint/${MINT}?include=market`)
      assert.deepInclude(market.holders, { count: PAGE + 1, isWhole: false })
    }),
  )

  it.effect("that are cut replace none of more holders", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* readAgain
      yield* sql`update holder_counts set holders = 5000, is_whole = true where mint_address = ${MINT}`
      yield* countOf(MINT)
      // Written one after the other.
      const { count } = yield* countOf(OTHER)
      yield* storedCount(OTHER, count)
      assert.isTrue((yield* stored).some(({ holders, mintAddress }) => mintAddress === MINT && holders === 5_000))
    }),
  )

  it.effect("are not kept of mints that are neither registered nor launched", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const accounts = yield* Accounts
      accounts.count = 3
      yield* sql`delete from holder_counts`
      const pools = yield* sql<Record<string, unknown>>`select * from dbc_pools where base_mint = ${OTHER}`
      yield* sql`delete from dbc_pools where base_mint = ${OTHER}`
      yield* readAgain
      // Of the largest accounts: all of them are not looked for.
      const { count, isWhole } = yield* countOf(OTHER)
      assert.isTrue(isWhole)
      assert.isBelow(count, 3)
      // Written one after the other.
      yield* countOf(MINT)
      assert.deepStrictEqual(
        (yield* storedCount(MINT, 3)).map(({ mintAddress }) => mintAddress),
        [MINT],
      )
      yield* create(seededDraft(OTHER))
      yield* readAgain
      yield* countOf(OTHER)
      yield* storedCount(OTHER, 3)
      yield* sql`insert into dbc_pools ${sql.insert(pools[0]!)}`
    }),
  )

  it.effect("delay and fail no answer while they cannot be written, and are written again afterwards", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const accounts = yield* Accounts
      const logged = yield* Logged
      accounts.count = 5
      yield* readAgain
      yield* Effect.gen(function* () {
        yield* sql`lock table holder_counts in share mode`
        assert.deepStrictEqual(yield* countOf(MINT), { count: 5, isWhole: true })
        assert.isFalse((yield* stored).some(({ holders }) => holders === 5))
      }).pipe(sql.withTransaction)
      yield* storedCount(MINT, 5)
      yield* sql`alter table holder_counts add constraint nothing check (holders < 6)`
      accounts.count = 6
      yield* readAgain
      assert.deepStrictEqual(yield* countOf(MINT), { count: 6, isWhole: true })
      yield* Effect.repeat(
        Effect.map(stored, () => logged.join("\n")),
        { until: (text) => text.includes("Counts of holders could not be kept") },
      )
      yield* sql`alter table holder_counts drop constraint nothing`
      accounts.count = 7
      yield* readAgain
      yield* countOf(MINT)
      yield* storedCount(MINT, 7)
    }),
  )

  it.effect("are written once for each read from the chain, and the last read stays", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const writes = Effect.map(
        sql<{ readonly xmin: string }>`select xmin::text from holder_counts where mint_address = ${MINT}`,
        ([row]) => row!.xmin,
      )
      const accounts = yield* Accounts
      accounts.count = 8
      yield* readAgain
      yield* countOf(MINT)
      yield* storedCount(MINT, 8)
      const before = yield* writes
      for (let times = 0; times < 3; times++) yield* countOf(MINT)
      assert.isTrue((yield* holdersOf(MINT)).body.isWhole)
      // After it, what was asked before has been written.
      yield* sql`delete from holder_counts where mint_address = ${OTHER}`
      yield* countOf(OTHER)
      yield* storedCount(OTHER, 8)
      assert.strictEqual(yield* writes, before)
      yield* sql`update holder_counts set holders = 9, counted_at = now() + interval '1 hour' where mint_address = ${MINT}`
      yield* sql`delete from holder_counts where mint_address = ${OTHER}`
      yield* readAgain
      yield* countOf(MINT)
      yield* countOf(OTHER)
      yield* storedCount(OTHER, 8)
      assert.isTrue((yield* stored).some(({ holders, mintAddress }) => mintAddress === MINT && holders === 9))
    }),
  )
})
