import { createHash } from "node:crypto"
import { parseArgs } from "node:util"
import type pg from "pg"
import { BenchDatabase, clientOf } from "./BenchDatabase.ts"

/**
 * What an index of trades by trader costs the insertion of trades: batches as the sink writes them, without its other tables,
 * into tables that have many trades already. The tables take turns.
 */
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "5000000" },
    batches: { type: "string", default: "200" },
    batch: { type: "string", default: "500" },
  },
})
const [ROWS, BATCHES, BATCH] = [Number(values.rows), Number(values.batches), Number(values.batch)]
const [TRADERS, MINTS] = [ROWS / 10, ROWS / 250]

const SHAPES: Readonly<Record<string, string | undefined>> = {
  none: undefined,
  hash: "(hashtextextended(trader, 0), ordinal)",
  text: "(trader, ordinal)",
}

const say = (text: string) => void process.stdout.write(`${text}\n`)

const md5 = (text: string) => createHash("md5").update(text).digest("hex")
const addressOf = (kind: string, n: number) => kind + (md5(`${kind}${n}`) + md5(`${n}${kind}`)).slice(0, 43)
const inSql = (kind: string, n: string) => `'${kind}' || left(md5('${kind}' || ${n}) || md5(${n} || '${kind}'), 43)`

/** How often one trades follows a power law: the first of 500,000 traders has one trade in eighty. */
const fill = async (client: pg.Client, table: string, shape: string | undefined) => {
  await client.query(`create table ${table} (like trades including defaults including constraints)`)
  await client.query(
    `insert into ${table} (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount, quote_amount, fee,
       next_sqrt_price, quote_reserve, block_time)
     select (300000000 + n / 20)::bigint << 32 | (n % 20) << 14, md5('s' || n) || md5('t' || n) || left(md5('u' || n), 24),
       ${inSql("P", "mint")}, ${inSql("M", "mint")}, 'So11111111111111111111111111111111111111112', ${inSql("A", "trader")},
       case when n % 2 = 0 then 'BUY' else 'SELL' end, 123456789012 + n, 1234567890 + n, 12345678, 98362933813224380 + n,
       51234567890 + n, to_timestamp(1760000000 + n / 50)
     from (
       select n, floor(${TRADERS} * random() ^ 3)::int as trader, floor(${MINTS} * random() ^ 2)::int as mint
       from generate_series(1, ${ROWS}) n
     ) numbered`,
  )
  await client.query("set maintenance_work_mem = '1GB'")
  await client.query(`alter table ${table} add primary key (ordinal, signature)`)
  await client.query(`create index on ${table} (base_mint, ordinal)`)
  await client.query(`create index on ${table} using brin (block_time) with (pages_per_range = 32, autosummarize = on)`)
  if (shape !== undefined) await client.query(`create index ${table}_trader on ${table} ${shape}`)
  await client.query(`vacuum (analyze) ${table}`)
}

/** Columns of a batch; every table gets the same. */
const batchOf = (number: number): ReadonlyArray<ReadonlyArray<unknown>> => {
  const rows = Array.from({ length: BATCH }, (_, at) => {
    const n = ROWS + number * BATCH + at
    const [trader, mint] = [Math.floor(TRADERS * Math.random() ** 3), Math.floor(MINTS * Math.random() ** 2)]
    return [
      ...[
        String((BigInt(300_000_000 + Math.floor(n / 20)) << 32n) | BigInt((n % 20) << 14)),
        md5(`s${n}`) + md5(`t${n}`),
      ],
      ...[addressOf("P", mint), addressOf("M", mint), addressOf("A", trader), n % 2 === 0 ? "BUY" : "SELL"],
      ...[String(123_456_789_012 + n), String(1_234_567_890 + n), 1_760_000_000 + Math.floor(n / 50)],
    ]
  })
  return rows[0]!.map((_, column) => rows.map((row) => row[column]))
}

const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[all.length >> 1]!

const database = await BenchDatabase.start()
try {
  await database.renew()
  const client = clientOf(database.address)
  await client.connect()
  const tables = Object.entries(SHAPES).map(([name, shape]) => ({
    ...{ name: `trades_${name}`, shape },
    ...{ millis: [] as Array<number>, wal: [] as Array<number>, cpu: 0 },
  }))
  for (const { name, shape } of tables) {
    const startedAt = performance.now()
    await fill(client, name, shape)
    const { rows } = await client.query(
      `select pg_size_pretty(pg_relation_size('${name}')) as heap,
         coalesce((select pg_size_pretty(pg_relation_size(to_regclass('${name}_trader')))), 'none') as index`,
    )
    say(`${name}: ${JSON.stringify(rows[0])}, filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  }
  await client.query("checkpoint")
  for (let number = 0; number < BATCHES; number++) {
    const batch = batchOf(number)
    // Who comes first takes turns too.
    for (let turn = 0; turn < tables.length; turn++) {
      const table = tables[(turn + number) % tables.length]!
      const [walBefore, cpuBefore, startedAt] = [await database.walBytes(), database.cpuMillis(), performance.now()]
      await client.query({
        name: `insert ${table.name}`,
        text: `insert into ${table.name} (ordinal, signature, pool, base_mint, quote_mint, trader, side, base_amount,
            quote_amount, fee, next_sqrt_price, quote_reserve, block_time)
          select ordinal, signature, pool, base_mint, 'So11111111111111111111111111111111111111112', trader, side, base_amount,
            quote_amount, 12345678, 98362933813224380, 51234567890, to_timestamp(block_time)
          from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::numeric[], $8::numeric[],
            $9::bigint[]) as t (ordinal, signature, pool, base_mint, trader, side, base_amount, quote_amount, block_time)
          on conflict (ordinal, signature) do nothing`,
        values: [...batch],
      })
      table.millis.push(performance.now() - startedAt)
      table.cpu += database.cpuMillis() - cpuBefore
      table.wal.push((await database.walBytes()) - walBefore)
    }
  }
  say(`\n${ROWS} rows, then ${BATCHES} batches of ${BATCH}; ${database.settings}\n`)
  say("| index | ms a batch, median | µs of CPU a row | WAL bytes a row, median |\n|---|---:|---:|---:|")
  for (const { cpu, millis, name, shape, wal } of tables)
    say(
      `| ${shape ?? name} | ${median(millis).toFixed(2)} | ${((cpu * 1_000) / (BATCHES * BATCH)).toFixed(1)} | ${Math.round(median(wal) / BATCH)} |`,
    )
  await client.end()
} finally {
  await database.stop()
}
