import { createHash } from "node:crypto"
import type pg from "pg"

/** Built once all rows are there. */
const INDEXES =
  "select indexname as name, indexdef as definition from pg_indexes where tablename = 'transactions' and indexname <> 'transactions_pkey'"

const md5 = (text: string) => createHash("md5").update(text).digest("hex")

/** 44 letters of base58 that begin with A to H are 32 bytes; the same in SQL below. */
const addressOf = (kind: string, n: number): string =>
  kind + (md5(`${kind}${n}`) + md5(`${n}${kind}`)).slice(0, 43).replaceAll("0", "z")

const inSql = (kind: string, n: string) =>
  `'${kind}' || replace(left(md5('${kind}' || ${n}) || md5(${n} || '${kind}'), 43), '0', 'z')`

/** User 0 has a record in twenty, coin 0 one in ten; the others have some fifty and some hundred. */
export const userOf = (n: number): string => addressOf("A", n)
export const coinOf = (n: number): string => addressOf("B", n)
/** Quotes the oldest three in a hundred records; any other is quoted in SOL. */
export const OLD_QUOTE = addressOf("D", 0)
export const SOL = "So11111111111111111111111111111111111111112"

/** Fills an empty table of records, ten a second up to now, which nothing notes: they are counted as a whole. */
export const fillRecords = async (client: pg.Client, count: number): Promise<void> => {
  const { rows: indexes } = await client.query(INDEXES)
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query("set session_replication_role = replica")
  await client.query(
    `insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
       price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
     select gen_random_uuid(), ${inSql("A", "owner")}, md5('hash' || n) || md5('h' || n),
       case when n % 1000 = 3 then 'DEPLOY' when n % 50 = 7 then 'BRIDGE' when n % 5 < 2 then 'SELL' else 'BUY' end,
       ${inSql("B", "coin")}, case when n < ${count * 0.03} then $1 else $2 end, 1000000, 1000, 0.001, 100, 10, $2,
       case when n % 33 = 0 then 'failed' when n > ${count - 100} or n % 1000000 = 1 then 'pending' else 'success' end,
       case when n < ${count * 0.005} then 'ethereum' else 'solana' end, ${inSql("C", "n")}, at, at
     from (
       select n, case when n % 20 = 0 then 0 else 1 + (n::bigint * 7919) % ${Math.ceil(count / 50)} end as owner,
         case when n % 10 = 0 then 0 else 1 + (n::bigint * 104729) % ${Math.ceil(count / 100)} end as coin,
         now() - (${count} - n) * interval '100 milliseconds' as at
       from generate_series(1, ${count}) n
     ) numbered`,
    [OLD_QUOTE, SOL],
  )
  await client.query("set session_replication_role = origin")
  await client.query("set maintenance_work_mem = '1GB'")
  for (const { definition } of indexes) await client.query(definition)
  await client.query("vacuum (analyze) transactions")
}
