import { MODULE_HASH } from "@launch-registry/indexer/modules/ModuleHash"
import type pg from "pg"
import { unregistered } from "./ManyTokens.ts"

const WEEK_SECONDS = 7 * 86_400
const BATCH = 500_000
/** Trades of a slot, and its place in an ordinal. */
const PER_SLOT = 8
const FIRST_SLOT = 300_000_000

/** Runs `fill` without the indexes of a table but its primary key, and builds them afterwards. */
const withoutIndexes = async (client: pg.Client, table: string, fill: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query(
    `select indexname as name, indexdef as definition from pg_indexes
     where tablename = $1 and indexname <> $1 || '_pkey'`,
    [table],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await fill()
  await client.query("set maintenance_work_mem = '1GB'")
  for (const { definition } of rows) await client.query(definition)
  await client.query(`vacuum (analyze) ${table}`)
}

/** Mints by number: registered ones, newest first, and as many that nobody registered. Few have most trades. */
const numberMints = async (client: pg.Client): Promise<number> => {
  await client.query("drop table if exists numbered_mints")
  await client.query(`
    create temporary table numbered_mints as
    select (row_number() over (order by md5(mint)))::int - 1 as n, mint from (
      select mint_address as mint from tokens union all select ${unregistered("mint_address")} from tokens
    ) m`)
  await client.query("create unique index on numbered_mints (n) include (mint)")
  await client.query("analyze numbered_mints")
  const { rows } = await client.query("select count(*)::int as count from numbered_mints")
  return rows[0].count
}

const TRADER = "'T' || floor(random() * $4)::int"
/** Numbers `i` of rows with a mint each. */
const rowsOf = (from: string, to: string) =>
  `(select i, floor($5 * random() ^ 4)::int as n from generate_series(${from}, ${to}) i offset 0) g join numbered_mints using (n)`

/** Adds trades from one time up to another, with the keys of their transactions, at one offset of the log. */
export const addTrades = async (
  client: pg.Client,
  {
    count,
    from,
    logOffset,
    seconds,
    start,
  }: Readonly<Record<"count" | "from" | "logOffset" | "seconds" | "start", number>>,
  { mints, traders }: Readonly<Record<"mints" | "traders", number>>,
): Promise<void> => {
  await client.query(
    `with new as (
       insert into trades (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
         next_sqrt_price, block_time)
       select (((${FIRST_SLOT} + i / ${PER_SLOT})::bigint << 32) + (i % ${PER_SLOT}) * 16384), 'sig' || md5(i::text) || md5((-i)::text),
         'pool', mint, 'So11111111111111111111111111111111111111112', ${TRADER}, 'BUY', 1000000, floor(random() * 1e9), 1,
         1000000000000, to_timestamp($3::float8 + $2::float8 * (i - $6::int) / $1)
       from ${rowsOf("$6::int", "$6::int + $1::int - 1")}
       returning ordinal >> 32 as slot, signature
     )
     insert into inbox_transactions (slot, signature, log_offset, position) select slot, signature, $7, 0 from new`,
    [count, seconds, from, traders, mints, start, logOffset],
  )
  await client.query(
    `insert into cursors (id, log_offset, slot) values ($1, $2, 1) on conflict (id) do update set log_offset = excluded.log_offset`,
    [MODULE_HASH, logOffset],
  )
}

/** Fills an index with trades of the last week. */
export const fillTrades = async (client: pg.Client, count: number, upTo: number) => {
  const among = { mints: await numberMints(client), traders: Math.ceil(count / 20) }
  await withoutIndexes(client, "trades", async () => {
    for (let start = 0, logOffset = 1; start < count; start += BATCH, logOffset++) {
      const some = Math.min(BATCH, count - start)
      const from = upTo - WEEK_SECONDS * (1 - start / count)
      const seconds = (WEEK_SECONDS * some) / count
      await addTrades(client, { count: some, from, logOffset, seconds, start }, among)
    }
  })
  await client.query("vacuum (analyze) inbox_transactions")
  return { ...among, offset: Math.ceil(count / BATCH) }
}

/** Fills a registry with records of the last week. */
export const fillRecords = async (client: pg.Client, count: number, upTo: number): Promise<void> => {
  const mints = await numberMints(client)
  await client.query("set session_replication_role = replica")
  await withoutIndexes(client, "transactions", async () => {
    for (let start = 0; start < count; start += BATCH)
      await client.query(
        `insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
           price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
         select gen_random_uuid(), ${TRADER}, 'hash' || i, case when i % 2 = 0 then 'BUY' else 'SELL' end, mint, 'quote',
           floor(random() * 1e6), floor(random() * 1e6), 1, 50, 0, 'quote', case when i % 10 = 0 then 'failed' else 'success' end,
           'solana', 'pool', to_timestamp($2 - ${WEEK_SECONDS} * (1 - i / $1::float8)), to_timestamp($2)
         from ${rowsOf("$3::int", "$6::int")}`,
        [count, upTo, start, Math.ceil(count / 20), mints, Math.min(count, start + BATCH) - 1],
      )
  })
  await client.query("set session_replication_role = origin")
}

/** One token in sixteen has it, those that are traded the least; of those that are traded a little more, one in sixteen has ended. */
export const QUIET_TAG = "quiet"
/** One token in fifty has it, however much it is traded. */
export const SOME_TAG = "seldom"

/** Tags and ends tokens that are hardly traded: many of them, of which hardly any is in a ranking; and tags some that are traded like all others. */
export const markTokens = async (client: pg.Client): Promise<void> => {
  const { rows } = await client.query("select array_agg(distinct tag) as tags from token_tags where tag = any($1)", [
    [QUIET_TAG, SOME_TAG],
  ])
  const marked = new Set(rows[0].tags)
  // Mints are numbered by their hashes, and the last ones have the fewest trades.
  const [quiet, ended] = ["md5(mint_address) >= 'f'", "md5(mint_address) >= 'e' and md5(mint_address) < 'f'"]
  const tagWith = async (tag: string, condition: string) => {
    await client.query(`update tokens set tags = tags || array['${tag}'] where ${condition}`)
    await client.query(
      `insert into token_tags (tag, token_id, launchpad, active, created_at, mint_address, mint_number)
       select '${tag}', id, launchpad, active, created_at, mint_address, mint_number from tokens where ${condition}`,
    )
  }
  await client.query("begin")
  await client.query("set local session_replication_role = replica")
  if (!marked.has(QUIET_TAG)) {
    await tagWith(QUIET_TAG, quiet)
    await client.query(`update tokens set active = false where ${ended}`)
    await client.query(`update token_tags set active = false where ${ended}`)
  }
  if (!marked.has(SOME_TAG)) await tagWith(SOME_TAG, "substr(md5(mint_address), 20, 2) < '05'")
  await client.query("commit")
  if (marked.size < 2) await client.query("vacuum (analyze) tokens, token_tags")
}
