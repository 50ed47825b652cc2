import { assert, layer } from "@effect/vitest"
import type { TransactionFilter } from "@launch-registry/domain/transactions/TransactionsApi"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { newestRows } from "@launch-registry/postgres/IndexRanges"
import type { ListBounds } from "@launch-registry/postgres/ListRows"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress, SOL } from "../../../service/test/Samples.ts"
import {
  listTransactions,
  listTransactionsOfToken,
  waysToTransactions,
} from "../../src/transactions/ListTransactions.ts"
import type { TransactionRow } from "../../src/transactions/TransactionRow.ts"
import { inPlanMode, PLAN_MODES, planOf, readingOf, rowsReadBy } from "../PreparedPlans.ts"

const RECORDS = 30_000
const LIMIT = 20

const [few, many, coin, old] = [sampleAddress(), sampleAddress(), sampleAddress(), sampleAddress()]

/** Most records are BUY, success, of solana and quoted in SOL; those of `old`, of other chains, and the failed ones are old. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
      price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at, deleted_at)
    select gen_random_uuid(), case when n % 3000 = 0 then ${few} when n % 2 = 0 then ${many} else 'somebody' || n end, '',
      case when n between 501 and 560 then 'DEPLOY' when n % 7 = 0 then 'SELL' when n % 5 = 0 then 'BRIDGE' else 'BUY' end,
      case when n % 3 = 0 then ${coin} when n < 900 then ${SOL} else 'coin' || n % 1000 end,
      case when n < 600 then ${old} else ${SOL} end, 1, 1, 1, 1, 1, '',
      case when n between 700 and 900 then 'failed' when n % 500 = 0 then 'pending' else 'success' end,
      case when n < 400 then 'ethereum' when n between 400 and 450 then 'near' else 'solana' end, 'pool' || n,
      date '2026-01-01' + (n / 3) * interval '1 minute', now(), case when n % 1000 = 1 then now() end
    from generate_series(1, ${RECORDS}::int) n`
  yield* sql`analyze transactions`
})

const VALUES: { readonly [Field in keyof TransactionFilter]-?: ReadonlyArray<TransactionFilter[Field]> } = {
  userAddress: [undefined, undefined, few, many, sampleAddress()],
  baseToken: [undefined, undefined, coin, SOL, sampleAddress()],
  quoteToken: [undefined, undefined, SOL, old],
  action: [undefined, undefined, "BUY", "SELL", "DEPLOY"],
  status: [undefined, undefined, "success", "failed", "pending"],
  chain: [undefined, undefined, "solana", "near", "absent"],
}

/** Some combination of filters. */
const filterOf = (random: (below: number) => number): TransactionFilter =>
  Object.fromEntries(
    Object.entries(VALUES).flatMap(([field, values]) => {
      const value = values[random(values.length)]
      return value === undefined ? [] : [[field, value] as const]
    }),
  )

const WORST: ReadonlyArray<TransactionFilter> = [
  {},
  { userAddress: many },
  { userAddress: few },
  { userAddress: many, status: "failed" },
  { userAddress: many, baseToken: coin, action: "SELL" },
  { userAddress: many, quoteToken: old },
  { baseToken: coin },
  { baseToken: coin, action: "DEPLOY" },
  { quoteToken: SOL },
  { quoteToken: SOL, action: "DEPLOY" },
  { quoteToken: SOL, chain: "near" },
  { quoteToken: old },
  { chain: "solana" },
  { chain: "near" },
  { chain: "ethereum", status: "success" },
  { status: "failed" },
  { status: "failed", action: "BRIDGE" },
  { action: "DEPLOY" },
]

/** Ids by reading every record. */
const expectedIds = Effect.fn(function* (filter: TransactionFilter) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly id: string }>`
    select id from transactions
    where deleted_at is null
      and user_address = coalesce(${filter.userAddress ?? null}::text, user_address)
      and base_token = coalesce(${filter.baseToken ?? null}::text, base_token)
      and quote_token = coalesce(${filter.quoteToken ?? null}::text, quote_token)
      and action = coalesce(${filter.action ?? null}::text, action)
      and status = coalesce(${filter.status ?? null}::text, status)
      and chain = coalesce(${filter.chain ?? null}::text, chain)
    order by created_at desc, id desc`
  return rows.map(({ id }) => id)
})

const BOUNDS: ListBounds = { near: 30, nearPerRow: 1, few: 80, far: 100, skipWalks: 5 }

/** Ids page by page, until the list ends or there are `atLeast` so many. */
const pagedIds = Effect.fn(function* (filter: TransactionFilter, limit: number, atLeast: number, bounds?: ListBounds) {
  const sql = yield* SqlClient
  const ids: Array<string> = []
  let after: Position | undefined
  while (ids.length < atLeast) {
    const { end, rows } = yield* listTransactions(sql, filter, { after, limit, offset: 0 }, bounds)
    ids.push(...rows.map(({ id }) => id as string))
    if (end !== undefined) after = { createdAt: end[0], id: end[1] }
    else if (rows.length === limit) after = rows.at(-1) as TransactionRow & { readonly id: string }
    else return ids
  }
  return ids
})

/** Tables that a list reads. */
const READ = ["transactions"]

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))("A list of many records", (it) => {
  it.effect("has what reading them all finds, page by page, whatever the filters", () =>
    Effect.gen(function* () {
      const random = randomOf(28)
      const filters = [...WORST, ...Array.from({ length: 30 }, () => filterOf(random))]
      for (const filter of filters) {
        const expected = yield* expectedIds(filter)
        const said = JSON.stringify(filter)
        for (const [limit, atLeast, bounds] of [
          [1_000, 2_000, undefined],
          [LIMIT, 200, BOUNDS],
        ] as const) {
          const found = yield* pagedIds(filter, limit, atLeast, bounds)
          assert.deepStrictEqual(found, expected.slice(0, found.length), said)
          assert.isAtLeast(found.length, Math.min(expected.length, atLeast), said)
        }
      }
    }),
  )

  it.effect("of a token has each of its records once, on either side of the trade", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      for (const token of [SOL, coin, old, sampleAddress()]) {
        const expected = yield* sql<{ readonly id: string }>`
          select id from transactions where deleted_at is null and (base_token = ${token} or quote_token = ${token})
          order by created_at desc, id desc`
        const ids: Array<string> = []
        for (let after: TransactionRow | undefined; ids.length < 900;) {
          const rows: ReadonlyArray<TransactionRow> = yield* listTransactionsOfToken(sql, token, {
            ...{ limit: 300, offset: 0 },
            after: after as never,
          })
          ids.push(...rows.map(({ id }) => id as string))
          if (rows.length < 300) break
          after = rows.at(-1)
        }
        assert.deepStrictEqual(
          ids,
          expected.slice(0, ids.length).map(({ id }) => id),
        )
        assert.isAtLeast(ids.length, Math.min(expected.length, 900))
        const skipping = yield* listTransactionsOfToken(sql, token, { after: undefined, limit: 3, offset: 50 })
        assert.deepStrictEqual(
          skipping.map(({ id }) => id as string),
          expected.slice(50, 53).map(({ id }) => id),
        )
      }
    }),
  )

  it.effect("reads no table as a whole, and few rows, with plans of either kind", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Four walks and as many counts; a facet that is not given has up to twelve ranges.
      const rowsMax = 12 * (LIMIT + 1) + BOUNDS.near + BOUNDS.nearPerRow * LIMIT + 4 * BOUNDS.far + 15 * BOUNDS.few
      const reads = [
        ...WORST.map((filter) => ({
          ...{ asked: filter as object },
          read: Effect.asVoid(listTransactions(sql, filter, { after: undefined, limit: LIMIT, offset: 0 }, BOUNDS)),
        })),
        ...[SOL, coin, old].map((token) => ({
          ...{ asked: { token } as object },
          read: Effect.asVoid(listTransactionsOfToken(sql, token, { after: undefined, limit: LIMIT, offset: 0 })),
        })),
      ]
      for (const mode of PLAN_MODES)
        for (const { asked, read } of reads) {
          const { rows, scans } = yield* inPlanMode(mode, readingOf(READ, read))
          const said = JSON.stringify({ mode, asked })
          assert.strictEqual(scans, 0, said)
          assert.isAtMost(rows, rowsMax, said)
        }
    }),
  )

  it.effect("does not look for old matches among the newest records", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const filters: ReadonlyArray<TransactionFilter> = [
        { userAddress: many, quoteToken: old },
        { baseToken: coin, quoteToken: old },
        { userAddress: many, baseToken: coin, status: "failed", action: "BUY" },
        { action: "DEPLOY", quoteToken: old },
      ]
      for (const mode of PLAN_MODES)
        for (const filter of filters) {
          const list = listTransactions(sql, filter, { after: undefined, limit: LIMIT, offset: 0 })
          const { found, rows } = yield* inPlanMode(mode, readingOf(READ, list))
          const said = JSON.stringify({ mode, filter })
          assert.isNotEmpty(found.rows, said)
          assert.isAtMost(rows, 8 * LIMIT, said)
        }
    }),
  )

  it.effect("is read from the index that begins with its filter, and no more of it than the page has", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const used = new Set<string>()
      for (const filter of WORST)
        for (const way of waysToTransactions(sql, filter)) {
          const statement = sql`${newestRows(sql, way, "t.*", LIMIT)}`
          for (const mode of PLAN_MODES)
            for (const node of yield* planOf(mode, statement)) {
              const said = JSON.stringify({ filter, mode, node, statement: statement.compile()[0] })
              assert.include(node["Node Type"], "Index", said)
              assert.isAtMost(rowsReadBy(node), 12 * LIMIT, said)
              used.add(node["Index Name"]!.replace("transactions_", ""))
            }
        }
      assert.deepStrictEqual([...used].toSorted(), [
        ...["action", "base", "facets", "quote", "recent", "status", "user"],
      ])
    }),
  )
})
