import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import type { SearchScope } from "./SearchPages.ts"

export const TOKENS = 20_000
/** The oldest tokens have what hardly any other has, and more of them than an index is asked for. */
export const OLD = 4_000

/** Owners of some and of many of them. */
export const [few, many] = [sampleAddress(), sampleAddress()]
export const mintOf = (n: number) => few.slice(0, -5) + String(10_000 + n).replaceAll("0", "z")

/** Scopes with many of them and with few. */
export const SCOPES: ReadonlyArray<SearchScope> = [
  {},
  { owner: few },
  { owner: many },
  { tag: "often" },
  { tag: "rare", launchpad: "launchpad_b" },
  { owner: many, tag: "often" },
  { verified: "true" },
  { verified: "true", launchpad: "launchpad_b" },
  { verified: "true", tag: "often" },
  { owner: many, tag: "scarce" },
  { owner: "somebody5", tag: "often" },
  { verified: "true", tag: "scarce" },
  { owner: many, verified: "true", tag: "often" },
  { verified: "false", active: "false" },
  { launchpad: "launchpad_b" },
  { active: "false" },
  { launchpad: "launchpad_a", active: "true" },
  { startDate: "2026-01-10T00:00:00Z", endDate: "2026-01-12T00:00:00Z" },
]

/** Scopes of which one has up to 50 tokens, before or after one with more. */
export const NARROW: ReadonlyArray<SearchScope> = [
  { owner: many, tag: "scarce" },
  { owner: "somebody5", tag: "often" },
  { verified: "true", tag: "scarce" },
  { owner: "somebody3", verified: "true", tag: "scarce" },
  { owner: many, verified: "true", tag: "scarce" },
]

const insertTokens = Effect.gen(function* () {
  const sql = yield* SqlClient
  // On a busy machine it takes longer than a statement may.
  yield* sql`select set_config('statement_timeout', '0', true)`
  yield* sql`
    insert into tokens (id, mint_address, name, symbol, description, total_supply, decimals, owner, launchpad, active, tags,
      created_at, updated_at, verified)
    select gen_random_uuid(), left(${few}, -5) || replace((10000 + n)::text, '0', 'z'),
      case when n % 100 = 0 then 'Hundred ' else 'Token ' end || n,
      case when n <= ${OLD} then 'OLDIE' when n % 3000 = 0 then 'SAME' else 'S' end || case when n % 3000 = 0 then '' else n::text end,
      case when n <= ${OLD} then 'seldom seen' when n % 5000 = 0 then 'a needle in hay' else 'a common phrase' end,
      1, 6, case when n % 20 = 0 then ${few} when n % 5 = 1 then ${many} else 'somebody' || n end,
      case when n % 2 = 0 then 'launchpad_a' else 'launchpad_b' end, n % 4 <> 0,
      array_remove(array[case when n % 5 = 0 then 'often' end, case when n % 50 = 0 then 'rare' end,
        case when n % 900 in (1, 3) then 'scarce' end], null),
      date '2026-01-01' + n * interval '1 minute', now(), n % 300 = 3
    from generate_series(1, ${TOKENS}::int) n`
})

/** Fills a registry with tokens that are found by some terms and in some scopes. */
export const fillSearchedTokens = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql.withTransaction(insertTokens)
  yield* sql`vacuum (analyze) tokens, token_tags`
})
