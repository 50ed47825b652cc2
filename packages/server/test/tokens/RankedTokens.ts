import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"

export const TOKENS = 8_000
const prefix = sampleAddress().slice(0, -6)

/**
 * Most tokens are traded within a week, few within minutes, and many of them as much as others. Most that are traded are
 * not registered. Hardly any of the tag `dull` is traded.
 */
export const fillRanked = Effect.gen(function* () {
  const sql = yield* SqlClient
  const mint = sql`${prefix} || replace((100000 + n)::text, '0', 'z')`
  yield* sql`
    insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, active, tags, created_at, updated_at)
    select gen_random_uuid(), ${mint}, 'Token ' || n, 'S' || n, 1, 6, 'somebody',
      case when n % 3 = 0 then 'launchpad_b' else 'launchpad_a' end, true,
      array_remove(array[case when n % 5 = 0 then 'often' end, case when n % 500 = 0 then 'rare' end,
        case when n > 6000 then 'dull' end], null),
      date '2026-01-01' + n * interval '1 minute', now()
    from generate_series(1, ${TOKENS}::int) n`
  yield* sql`update tokens set verified = true where name like '%00'`
  yield* sql`update tokens set active = false where name like '%0' or name like '%4' or name like '%8'`
  for (const [at, span] of Object.keys(WINDOW_LENGTHS).entries()) {
    const every = 5 ** (4 - at)
    yield* sql`
      insert into trading_windows (span, base_mint, traders, trades, quote_volume)
      select ${span}::text, ${mint}, n % 7, 9, n % 11 from generate_series(1, 24000) n
      where n % ${every}::int = 0 and (n < 6000 or n > ${TOKENS}::int or n % 1000 = 0)`
    yield* sql`
      insert into recorded_windows (span, base_mint, traders, trades, quote_volume)
      select ${span}::text, ${mint}, 1 + n % 3, 9, n % 5 from generate_series(1, 12000) n
      where n % ${every * 2}::int = 0 and (n < 6000 or n > ${TOKENS}::int or n % 999 = 0)`
  }
  yield* sql`analyze tokens, token_tags, trading_windows, recorded_windows`
})
