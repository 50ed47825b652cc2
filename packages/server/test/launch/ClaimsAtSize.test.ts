import { assert, layer } from "@effect/vitest"
import type { FeeClaimFilter } from "@launch-registry/domain/launch/FeeClaims"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { feeClaims } from "../../src/launch/FeeClaims.ts"
import { Whitelist } from "../../src/launch/Whitelist.ts"
import { Tokens } from "../../src/tokens/Tokens.ts"
import { readingOf } from "../PreparedPlans.ts"

const ROWS = 40_000
const LIMIT = 20

const [many, few, early, coin, other] = Array.from({ length: 5 }, sampleAddress) as [
  string,
  string,
  string,
  string,
  string,
]

/** Two claims in each place of the chain, half of them of one wallet; those of the early wallet are old, and so are those from the other coin. One token in twenty was taken off the list. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    insert into fee_claims (ordinal, signature, kind, party, venue, pool, wallet, quote_mint, base_amount, quote_amount, block_time)
    select (n / 2)::bigint << 20, lpad(translate(n::text, '0', 'A'), 88, '2'), 'surplus', 'creator', 'dbc',
      case when n < 3000 and n % 3 = 0 then ${other} when n % 2 = 0 then ${coin} else 'pool' || n % 700 end,
      case when n < 2000 then ${early} when n % 2 = 0 then ${many} when n % 4001 = 0 then ${few} else 'wallet' || n end,
      'quote', 0, 1, timestamptz '2026-01-01Z' + n * interval '1 second'
    from generate_series(1, ${ROWS}::int) n`
  yield* sql`
    insert into dbc_pools (pool, pool_type, config, creator, base_mint, quote_mint, name, symbol, uri, supply, decimals, created_slot, created_at)
    select mint, 0, 'config', 'creator', mint, 'quote', 'name', 'symbol', '', 1, 6, 1, timestamptz '2026-01-01Z'
    from unnest(array[${coin}, ${other}]) mint`
  yield* sql`
    insert into token_whitelist (mint_address, whitelisted, updated_at)
    select 'mint' || n, n % 20 <> 0, timestamptz '2026-01-01Z' + (n / 3) * interval '1 second' from generate_series(1, ${ROWS}::int) n`
  yield* sql`analyze fee_claims, dbc_pools, token_whitelist`
})

const FILTERS: ReadonlyArray<FeeClaimFilter> = [
  {},
  { walletAddress: many as never },
  { walletAddress: few as never },
  { walletAddress: early as never },
  { mintAddress: coin as never },
  { mintAddress: other as never },
  { walletAddress: many as never, mintAddress: coin as never },
  { walletAddress: many as never, mintAddress: other as never },
  { walletAddress: early as never, mintAddress: other as never },
  { walletAddress: few as never, mintAddress: coin as never },
]

/** Signatures by reading every claim. */
const expectedClaims = Effect.fn(function* ({ mintAddress, walletAddress }: FeeClaimFilter) {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly signature: string }>`
    select signature from fee_claims
    where wallet = coalesce(${walletAddress ?? null}::text, wallet) and pool = coalesce(${mintAddress ?? null}::text, pool)
    order by ordinal desc, signature desc`
  return rows.map(({ signature }) => signature)
})

const services = Layer.provide(Whitelist.layer({ isRequired: false }), Layer.mock(Tokens)({}))

layer(Layer.provideMerge(services, Layer.provideMerge(Layer.effectDiscard(fill), TestDatabase.layer)))(
  "Among many claims and decisions",
  (it) => {
    it.effect("claims are those that reading them all finds, page by page, in few rows", () =>
      Effect.gen(function* () {
        const list = yield* feeClaims
        for (const filter of FILTERS) {
          const expected = yield* expectedClaims(filter)
          const found: Array<string> = []
          let cursor: string | undefined
          do {
            const range = { limit: LIMIT, ...(cursor !== undefined && { cursor }) }
            const read = yield* readingOf(["fee_claims"], list(filter, range))
            // Where half of the claims are found, all are as good.
            if (Object.keys(filter).length < 2)
              assert.isAtMost(read.rows, 4 * LIMIT, JSON.stringify({ filter, cursor }))
            found.push(...read.found.claims.map(({ signature }) => signature))
            cursor = read.found.nextCursor ?? undefined
          } while (cursor !== undefined && found.length < 5 * LIMIT)
          assert.deepStrictEqual(found, expected.slice(0, found.length), JSON.stringify(filter))
          assert.isAtLeast(found.length, Math.min(expected.length, 5 * LIMIT), JSON.stringify(filter))
        }
      }),
    )

    it.effect("decisions are read by their index, newest first, and no more than the page has", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { list } = yield* Whitelist
        for (const whitelisted of [undefined, true, false]) {
          const expected = yield* sql<{ readonly mintAddress: string; readonly updatedAt: Date }>`
              select mint_address, updated_at from token_whitelist
              where whitelisted = coalesce(${whitelisted ?? null}::boolean, whitelisted)
              order by updated_at desc, mint_address desc limit ${3 * LIMIT}`
          for (const [start, offset] of [
            [0, 0],
            [LIMIT, 0],
            [0, LIMIT],
          ] as const) {
            const after = start === 0 ? undefined : expected[start - 1]!
            const page = list(whitelisted, { after, limit: LIMIT, offset })
            const { found, rows, scans } = yield* readingOf(["token_whitelist"], page)
            const said = JSON.stringify({ whitelisted, start, offset })
            assert.deepStrictEqual(
              found.map(({ mintAddress }) => mintAddress as string),
              expected.slice(start + offset, start + offset + LIMIT).map(({ mintAddress }) => mintAddress),
              said,
            )
            assert.strictEqual(scans, 0, said)
            assert.isAtMost(rows, 4 * LIMIT, said)
          }
        }
      }),
    )
  },
)
