import { createHash } from "node:crypto"
import { MODULE_HASH } from "@launch-registry/indexer/modules/ModuleHash"
import { tradingWindowStatements } from "@launch-registry/indexer/sink/TradingWindows"
import * as Database from "@launch-registry/postgres/Database"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type pg from "pg"
import { tokenSkeletons } from "../../packages/server/src/trust/TokenSkeletons.ts"
import { countRecords } from "../../packages/server/src/tokens/RecordedWindows.ts"
import { type BenchAddress, clientOf } from "../BenchDatabase.ts"

const WEEK_SECONDS = 7 * 86_400
const TOKEN_BATCH = 10_000
const TRADE_BATCH = 500_000
/** Trades of a slot, and the place of the first slot. */
const PER_SLOT = 8
const FIRST_SLOT = 300_000_000

/** One token in three has it. */
export const COMMON_TAG = "meme"
/** A thousand tokens have it, however many there are. */
export const RARE_TAG = "rare"
/** One token in sixteen has it, those that are traded the least. */
export const QUIET_TAG = "quiet"

export const SOL = "So11111111111111111111111111111111111111112"

const SYLLABLES =
  "ba be bo da do du fa fi go ka ke ki la lo lu ma me mo na ne no pa pe pi ra ri ro sa so ta te to zu".split(" ")

/** Made-up words of two or three syllables; frequent ones come first. */
export const WORDS = SYLLABLES.flatMap((_, i) =>
  SYLLABLES.flatMap((_, j) => {
    const two = `${SYLLABLES[(i * 5 + j * 11) % SYLLABLES.length]}${SYLLABLES[(i * 3 + j * 7 + 1) % SYLLABLES.length]}`
    return [two, `${two}${SYLLABLES[(i * 7 + j * 2) % SYLLABLES.length]}`]
  }),
)

/** An address: 44 letters of base58 that begin with A to H are 32 bytes. `inSql` makes the same. */
const addressOf = (kind: string, n: number): string =>
  kind + createHash("sha256").update(`${kind}${n}`).digest("hex").replaceAll("0", "z").slice(0, 43)
const inSql = (kind: string, n: string) =>
  `'${kind}' || left(replace(encode(sha256(convert_to('${kind}' || ${n}, 'UTF8')), 'hex'), '0', 'z'), 43)`

/** An owner of a hundred tokens. */
export const ownerOf = (n: number): string => addressOf("A", n)
/** User 0 has one record in twenty. */
export const userOf = (n: number): string => addressOf("B", n)
export const mintOf = (n: number): string => addressOf("C", n)
/** The quote token of the oldest three in a hundred records; the others are in SOL. */
export const OLD_QUOTE = addressOf("E", 0)

/** Numbers below 1, the same in each run. */
const randomOf = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
}

/** Fills a table without its indexes but the primary key, and builds them afterwards. */
const withoutIndexes = async (client: pg.Client, table: string, fill: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query(
    "select indexname as name, indexdef as definition from pg_indexes where tablename = $1 and indexname <> $1 || '_pkey'",
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await fill()
  await client.query("set maintenance_work_mem = '1GB'")
  for (const { definition } of rows) await client.query(definition)
  await client.query(`vacuum (analyze) ${table}`)
}

/**
 * Symbols of a word or two, names of two words, descriptions of twenty, one token a second up to now. How often a word occurs follows
 * a power law: the first are in one token of five, the last in one of thousands. As many mints are traded that nobody registered.
 */
const fillTokens = async (client: pg.Client, count: number): Promise<void> => {
  const random = randomOf(42)
  const word = () => WORDS[Math.floor(WORDS.length * random() ** 3)]!
  const rareEvery = Math.max(1, Math.floor(count / 1_000))
  const newest = Date.now()
  await client.query("create temporary table mints (number bigint generated always as identity primary key, mint text)")
  for (let start = 0; start < count; start += TOKEN_BATCH) {
    const columns: Array<Array<unknown>> = Array.from({ length: 9 }, () => [])
    for (let n = start; n < Math.min(count, start + TOKEN_BATCH); n++) {
      const symbol = (random() < 0.5 ? word() : word() + word()).slice(0, 8).toUpperCase()
      const tags = [n % 3 === 0 && COMMON_TAG, n % rareEvery === 0 && RARE_TAG, n < count / 16 && QUIET_TAG]
      const fields = [
        ...[mintOf(n), `${word()} ${word()}`, symbol, Array.from({ length: 20 }, word).join(" ")],
        ...[ownerOf(n % Math.ceil(count / 100)), n % 4 === 0 ? "launchpad_b" : "launchpad_a"],
        ...[`{${tags.filter(Boolean).join()}}`, n >= 500, new Date(newest - (count - n) * 1_000)],
      ]
      fields.forEach((field, at) => columns[at]!.push(field))
    }
    await client.query(
      `insert into mints (mint)
       select m from unnest($1::text[]) with ordinality t (mint, nth), unnest(array[mint, 'D' || substr(mint, 2)]) m
       order by nth`,
      [columns[0]],
    )
    await client.query(
      `insert into tokens (id, mint_address, name, symbol, description, total_supply, decimals, owner, launchpad, tags,
         active, created_at, updated_at)
       select gen_random_uuid(), mint, name, symbol, description, 1000000000, 6, owner, launchpad, tags::text[], active, at, at
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[],
         $9::timestamptz(3)[]) as t (mint, name, symbol, description, owner, launchpad, tags, active, at)`,
      columns,
    )
  }
  await client.query("vacuum (analyze) token_tags")
}

/** Rows `i` from $1 to $2 with a mint each: few of the $3 mints, the newest, have most rows. */
const ROWS = `(select i, $3::int - 1 - floor($3 * random() ^ 4)::int as n from generate_series($1::int, $2::int) i offset 0) g
  cross join lateral (select mint from mints where number = n + 1) m`

const eachBatch = async (count: number, fill: (from: number, to: number) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < count; from += TRADE_BATCH) await fill(from, Math.min(count, from + TRADE_BATCH) - 1)
}

/** Trades of the last week up to now, all of them folded. */
const fillTrades = async (client: pg.Client, count: number, mints: number): Promise<void> => {
  await eachBatch(count, (from, to) =>
    client.query(
      `with new as (
         insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
           next_sqrt_price, block_time)
         select ((${FIRST_SLOT} + i / ${PER_SLOT})::bigint << 32) + (i % ${PER_SLOT}) * 16384,
           'sig' || md5(i::text) || md5((-i)::text), 'pool', mint, '${SOL}', 'T' || floor(random() * ${count} / 20)::int, 'BUY',
           1000000, floor(random() * 1e9), 1, 1000000000000, now() - make_interval(secs => ${WEEK_SECONDS} * (1 - i::float8 / ${count}))
         from ${ROWS} returning ordinal >> 32 as slot, signature)
       insert into inbox_transactions (slot, signature, log_offset, position) select slot, signature, 1, 0 from new`,
      [from, to, mints],
    ),
  )
  await client.query("update indexer_progress set module_hash = $1, log_offset = 1, slot = 1", [MODULE_HASH])
  await client.query("vacuum (analyze) inbox_transactions")
}

/** Records of the last week up to now, which nothing notes: they are counted as a whole. */
const fillRecords = async (client: pg.Client, count: number, mints: number): Promise<void> => {
  await client.query("set session_replication_role = replica")
  await eachBatch(count, (from, to) =>
    client.query(
      `insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
         price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at,
         quote_volume)
       select gen_random_uuid(), ${inSql("B", `case when i % 20 = 0 then 0 else 1 + i::bigint * 7919 % ${Math.ceil(count / 50)} end`)},
         md5('hash' || i) || md5('h' || i),
         case when i % 1000 = 3 then 'DEPLOY' when i % 50 = 7 then 'BRIDGE' when i % 5 < 2 then 'SELL' else 'BUY' end, mint,
         case when i < ${count} * 0.03 then '${OLD_QUOTE}' else '${SOL}' end, 1000000, 1000, 0.001, 100, 10, '${SOL}',
         case when i % 33 = 0 then 'failed' when i > ${count} - 100 then 'pending' else 'success' end,
         case when i < ${count} * 0.005 then 'ethereum' else 'solana' end, 'pool' || i, at, at,
         case when i % 5 < 2 then 1000 else 1000000 end
       from (select i, mint, now() - make_interval(secs => ${WEEK_SECONDS} * (1 - i::float8 / ${count})) as at from ${ROWS}) r`,
      [from, to, mints],
    ),
  )
  await client.query("set session_replication_role = origin")
}

/** Names are compared, trades and records counted beforehand: a service that starts on such a registry does so for minutes. */
const settle = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { step } = tokenSkeletons(sql)
  while (!(yield* step));
  yield* sql`update server_progress set must_start_over = false where name = 'registry'`
  yield* tradingWindowStatements(sql).refresh(new Date())
  yield* countRecords()
})

/** Fills an empty registry, with ten trades and ten records for each token. */
export const fillRegistry = async (address: BenchAddress, tokens: number): Promise<void> => {
  const client = clientOf(address)
  await client.connect()
  await withoutIndexes(client, "tokens", () => fillTokens(client, tokens))
  await withoutIndexes(client, "trades", () => fillTrades(client, tokens * 10, tokens * 2))
  await withoutIndexes(client, "transactions", () => fillRecords(client, tokens * 10, tokens * 2))
  await Effect.runPromise(Effect.provide(settle, Database.layer(address)))
  await client.query("vacuum (analyze)")
  await client.query("checkpoint")
  await client.end()
}
