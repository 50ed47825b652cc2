import { cpus } from "node:os"
import { createHash } from "node:crypto"
import { parseArgs } from "node:util"
import { buildDag } from "@launch-registry/ipfs/Dag"
import { IpfsContent } from "@launch-registry/ipfs/IpfsContent"
import { sweepUploads } from "@launch-registry/ipfs/retention/SweepUploads"
import * as Database from "@launch-registry/postgres/Database"
import { uploadReferences } from "../../packages/server/src/ipfs/UploadReferences.ts"
import { IndexerStatus } from "../../packages/server/src/system/IndexerStatus.ts"
import { Effect, Layer } from "effect"
import type pg from "pg"
import { BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"

/**
 * How long a sweep of old uploads takes, where every other one is named by a token, and what the indexes that find names
 * cost whoever registers tokens.
 */
const { values } = parseArgs({ options: { uploads: { type: "string", default: "100000" } } })
const UPLOADS = Number(values.uploads)
const BATCH = 5_000
const REGISTRATIONS = 10_000
const ROUNDS = 5

const say = (text: string) => void process.stdout.write(`${text}\n`)
const database = await BenchDatabase.start()
await database.renew()
const client = clientOf(database.address)
await client.connect()

const address = (of: string) => createHash("sha256").update(of).digest("hex").slice(0, 44)

/** Registers tokens with these URIs; returns the time in milliseconds. */
const register = async (into: pg.Client, from: string, uris: ReadonlyArray<string>): Promise<number> => {
  const began = performance.now()
  await into.query(
    `insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, token_uri, banner_uri,
       website, twitter, telegram, created_at, updated_at)
     select gen_random_uuid(), mint, 'Token ' || mint, 'TKN', 1, 6, mint, 'launchpad_a', uri, uri || '?banner',
       'https://' || left(mint, 12) || '.example/', 'https://x.com/' || left(mint, 12), '', now(), now()
     from unnest($1::text[], $2::text[]) as t(mint, uri)`,
    [uris.map((_, index) => address(`${from} ${index}`)), [...uris]],
  )
  return performance.now() - began
}

const cids: Array<string> = []
for (let at = 0; at < UPLOADS; at += BATCH) {
  const dags = Array.from({ length: Math.min(BATCH, UPLOADS - at) }, (_, index) =>
    buildDag(Buffer.from(`upload ${at + index}`)),
  )
  const batch = dags.map(({ root }) => root.toString())
  await client.query("insert into ipfs_blocks select * from unnest($1::text[], $2::bytea[])", [
    batch,
    dags.map(({ blocks }) => blocks[0]!.bytes),
  ])
  await client.query(
    `insert into ipfs_uploads (cid, content_type, size_bytes, created_at, used_at, links)
     select cid, 'image/png', 12, now(), now() - interval '40 days' - random() * interval '100 days', '{}' from unnest($1::text[]) as t(cid)`,
    [batch],
  )
  const named = batch.filter((_, index) => index % 2 === 0)
  await register(
    client,
    String(at),
    named.map((cid) => `https://gateway.example/ipfs/${cid}`),
  )
  await client.query(
    `insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, activation_point,
       created_slot, created_at)
     select mint, mint, 'quote', 'config', mint, 'Token', 'TKN', uri, 0, 0, 1, now() from unnest($1::text[], $2::text[]) as t(mint, uri)`,
    [named.map((cid) => address(cid)), named.map((cid) => `https://elsewhere.example/${address(cid)}.json`)],
  )
  cids.push(...batch)
}
await client.query("analyze")
const report = JSON.stringify({ originSlot: "100", finalizedSlot: "300", source: "poll", problem: null })
await client.query("insert into leases (name, holder, token, expires_at) values ('indexer', 'bench', 1, '2100-01-01')")
await client.query("insert into cursors (id, log_offset, slot) values ('modules', 7, 310)")
await client.query("insert into indexer_reports (name, report, reported_at) values ('leader', $1, '2100-01-01')", [
  report,
])
await client.query("insert into coverage values (100, 300, 'rpc', now(), 7)")

const layer = Layer.mergeAll(IpfsContent.layer, Layer.provide(uploadReferences, IndexerStatus.layer)).pipe(
  Layer.provideMerge(Database.layer(database.address)),
)
const sweep = Effect.flatMap(sweepUploads, (sweepNow) => sweepNow(30))
const cpuBefore = database.cpuMillis()
const began = performance.now()
await Effect.runPromise(Effect.provide(sweep, layer))
const seconds = (performance.now() - began) / 1_000
const cpuSeconds = (database.cpuMillis() - cpuBefore) / 1_000
const { rows } = await client.query("select count(*)::integer as left from ipfs_uploads")

const costs: Array<{ readonly withIndex: number; readonly without: number }> = []
const uris = Array.from(
  { length: REGISTRATIONS },
  (_, index) => `https://gateway.example/ipfs/${cids[index % cids.length]}`,
)
for (let round = 0; round < ROUNDS; round++) {
  const withIndex = await register(client, `with ${round}`, uris)
  await client.query("begin")
  await client.query("drop index tokens_words")
  const without = await register(client, `without ${round}`, uris)
  await client.query("rollback")
  costs.push({ withIndex, without })
}
const median = (numbers: ReadonlyArray<number>) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!
const micros = (millis: number) => `${((millis / REGISTRATIONS) * 1_000).toFixed(0)} µs`

say(`${cpus().length} cores, Node ${process.version}. PostgreSQL: ${database.settings}.\n`)
say(`A sweep of ${UPLOADS} old uploads, half of them named by tokens: ${seconds.toFixed(1)} s`)
say(`(${cpuSeconds.toFixed(1)} s of PostgreSQL's CPU); ${rows[0].left} are left.`)
say(
  `A token in an insert of ${REGISTRATIONS}: ${micros(median(costs.map(({ withIndex }) => withIndex)))} with the index of words, ` +
    `${micros(median(costs.map(({ without }) => without)))} without (medians of ${ROUNDS}).`,
)
await client.end()
await database.stop()
process.exit(0)
