import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

/** As many of a user and as many of a token as a page looks at to skip an offset, and some more. */
const RECORDS = 44_000
/** The oldest are of both. */
const MATCHES = 7

const [user, coin] = [sampleAddress(), sampleAddress()]

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`select set_config('statement_timeout', '0', true)`
  yield* sql`
    insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
      price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
    select gen_random_uuid(), case when n % 2 = 0 or n <= ${MATCHES}::int then ${user} else 'somebody' end, 'hash ' || n, 'BRIDGE',
      case when n % 2 = 1 or n <= ${MATCHES}::int then ${coin} else 'another' end, ${SOL}, 1, 1, 1, 1, 1, '',
      'success', 'solana', 'pool', date '2026-01-01' + n * interval '1 second', now()
    from generate_series(1, ${RECORDS}::int) n`
  yield* sql`analyze transactions`
}).pipe((filling) => Effect.flatMap(SqlClient, (sql) => sql.withTransaction(filling)))

const readPage = Effect.fnUntraced(function* (paging: string) {
  const { request } = yield* TestServer
  const filters = `userAddress=${user}&baseToken=${coin}&quoteToken=${SOL}`
  const { body, status } = yield* request(`/api/transactions?${filters}&${paging}`)
  assert.strictEqual(status, 200, JSON.stringify(body))
  const hashes: ReadonlyArray<string> = body.transactions.map(({ txHash }: { readonly txHash: string }) => txHash)
  return { hashes, nextCursor: body.pagination.nextCursor as string | null }
})

layer(TestServer.layer(), { excludeTestServices: true })(
  "An offset in a list of two filters that hardly any row has",
  (it) => {
    it.effect("is skipped exactly", () =>
      Effect.gen(function* () {
        yield* fill
        for (const offset of [1, 5, MATCHES, 10_000]) {
          const pages: Array<ReadonlyArray<string>> = []
          for (let start: string | null = `offset=${offset}`; start !== null;) {
            const page: Effect.Success<ReturnType<typeof readPage>> = yield* readPage(`limit=2&${start}`)
            pages.push(page.hashes)
            start = page.nextCursor === null ? null : `cursor=${page.nextCursor}`
          }
          const all = Array.from({ length: MATCHES }, (_, at) => `hash ${MATCHES - at}`)
          assert.deepStrictEqual(pages.flat(), all.slice(offset))
        }
      }),
    )
  },
)
