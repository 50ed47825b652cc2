import { assert, layer } from "@effect/vitest"
import type { TransactionFilter } from "@launch-registry/domain/transactions/TransactionsApi"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { sampleAddress, SOL } from "../../../service/test/Samples.ts"
import { listTransactions, listTransactionsOfToken } from "../../src/transactions/ListTransactions.ts"
import type { TransactionRow } from "../../src/transactions/TransactionRow.ts"
import { readingOf } from "../PreparedPlans.ts"

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

/** Ids page by page from an offset on, until the list ends or there are `atLeast` so many. */
const pagedIds = Effect.fn(function* (filter: TransactionFilter, limit: number, atLeast: number, offset = 0) {
  const sql = yield* SqlClient
  const ids: Array<string> = []
  let after: Position | undefined
  while (ids.length < atLeast) {
    const rows = yield* listTransactions(sql, filter, { after, limit, offset: after === undefined ? offset : 0 })
    ids.push(...rows.map(({ id }) => id as string))
    if (rows.length < limit) break
    after = rows.at(-1) as Position | undefined
  }
  return ids
})

/** Filters that an index begins with. */
const SINGLE: ReadonlyArray<TransactionFilter> = [
  {},
  { userAddress: many },
  { userAddress: few },
  { baseToken: coin },
  { quoteToken: SOL },
  { quoteToken: old },
  { chain: "solana" },
  { chain: "near" },
  { status: "failed" },
  { status: "success" },
  { action: "DEPLOY" },
]

layer(Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer))("A list of many records", (it) => {
  it.effect("has what reading them all finds, page by page from any offset on, whatever the filters", () =>
    Effect.gen(function* () {
      const random = randomOf(28)
      for (const filter of [...WORST, ...Array.from({ length: 30 }, () => filterOf(random))]) {
        const expected = yield* expectedIds(filter)
        const offset = random(Math.min(expected.length, 2_000) + 2)
        for (const [limit, atLeast, skipped] of [
          [1_000, 2_000, 0],
          [LIMIT, 60, offset],
        ] as const) {
          const found = yield* pagedIds(filter, limit, atLeast, skipped)
          const said = JSON.stringify({ filter, skipped })
          assert.deepStrictEqual(found, expected.slice(skipped, skipped + found.length), said)
          assert.isAtLeast(found.length, Math.min(expected.length - skipped, atLeast), said)
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

  it.effect("reads little more than a page by the index of a filter", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const range = { after: undefined, limit: LIMIT, offset: 0 }
      const reads = [
        ...SINGLE.map((filter) => [filter, listTransactions(sql, filter, range)] as const),
        ...[SOL, coin, old].map((token) => [{ token }, listTransactionsOfToken(sql, token, range)] as const),
      ]
      for (const [asked, read] of reads) {
        const { rows, scans } = yield* readingOf(["transactions"], read)
        assert.strictEqual(scans, 0, JSON.stringify(asked))
        // Of a token a page of either side; where one record in five is found, all are as good.
        assert.isAtMost(rows, 6 * LIMIT, JSON.stringify(asked))
      }
    }),
  )
})
