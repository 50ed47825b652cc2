import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { transactionsOfLocalChain } from "@launch-registry/indexer/sources/CapturedTransactions"
import { generateKeyPairSigner } from "@solana/kit"
import { Context, Effect, Exit, Layer, Scope } from "effect"
import { Pool } from "undici"
import { Cluster } from "../../demo/Cluster.ts"
import { IntentsStandIn } from "../../packages/bridge/test/IntentsStandIn.ts"
import { transferOf } from "../../packages/chain/test/submissions/SignedTransfers.ts"
import { noisePng } from "../../packages/service/test/NoisePng.ts"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { fillLaunches } from "../scale/ManyLaunches.ts"
import { fillRecords } from "../scale/ManyRecords.ts"
import { fillTokens } from "../scale/ManyTokens.ts"
import { fillTrades } from "../scale/ManyTrades.ts"
import { sampleChange } from "../../packages/server/test/stream/IndexChanges.ts"
import { sampleAddress } from "../../packages/service/test/Samples.ts"
import { held } from "./Attackers.ts"
import { CountedNode } from "./CountedNode.ts"
import type { OperationScene, SceneFacts } from "./AttackRequests.ts"
import { MEASURED_ELSEWHERE, operationScenes } from "./OperationScenes.ts"
import { ServiceProcess } from "./ServiceProcess.ts"

/**
 * What each operation costs the service at the requests that cost the most: CPU of the process and of PostgreSQL, calls to the node
 * and to the swap service, rows, bytes of the write-ahead log, the answer, and memory. An api process with default settings that nobody
 * needs a credential for; everything else is on loopback. `--only <words>` takes the scenes whose operation or text has them.
 */
const { values } = parseArgs({
  options: {
    tokens: { type: "string", default: "20000" },
    trades: { type: "string", default: "200000" },
    connections: { type: "string", default: "4" },
    only: { type: "string", default: "" },
    checkout: { type: "string", default: join(import.meta.dirname, "../..") },
  },
})
/** Of a core, for so long. */
const [QUIET_SHARE, QUIET_MILLIS] = [0.06, 5_000]
const [STREAMS, COMMITS, STREAMS_MILLIS] = [250, 3_000, 20_000]
const SIGNED = 100
const STREAMS_NAME = "event streams"
const say = (text: string) => void process.stdout.write(`${text}\n`)

const document = JSON.parse(readFileSync(join(import.meta.dirname, "../../openapi.json"), "utf8")) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}
const declared = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
)

const scope = await Effect.runPromise(Scope.make())
const chain = Context.get(
  await Effect.runPromise(Scope.provide(Layer.build(LocalChain.layer({ captured: transactionsOfLocalChain })), scope)),
  LocalChain,
)
const node = new CountedNode(chain.url)
const nodeUrl = await node.start()
const standIn = new IntentsStandIn()
await standIn.start()
const database = await BenchDatabase.start()
const folder = mkdtempSync(join(tmpdir(), "registry-operations-"))

const { socketDirectory, username, database: name } = database.address
const settings = {
  DATABASE_URL: `postgres://${username}@localhost/${name}?host=${socketDirectory}`,
  ...{ RUN_MODE: "production", HOST: "127.0.0.1", PUBLIC_URL: "https://api.example", NETWORK: "localnet" },
  ...{ RPC_GENESIS_HASH: "any", SHUTDOWN_DELAY_SECONDS: "0", HELIUS_WEBHOOK_SECRET: "a-secret-of-the-bench" },
  ...{ INTENTS_URL: standIn.url, INTENTS_QUOTE_KEY: standIn.publicKey },
}
const start = async (environment: Readonly<Record<string, string>>) =>
  ServiceProcess.start({
    ...{ checkout: values.checkout, port: await freePort(), dataFolder: folder },
    environment: { ...settings, ...environment },
  })

/** Rows of all tables. */
const ROWS = `select sum((xpath('/row/c/text()', query_to_xml(format('select count(*) as c from %I', tablename), false, true, '')))[1]::text::bigint) as rows
  from pg_tables where schemaname = 'public'`

const client = clientOf(database.address)

/** Fills the registry and the index. The launches of the chain are found there when they are first asked for. */
const filled = async (): Promise<Omit<SceneFacts, "cid">> => {
  await database.renew()
  await client.connect()
  await fillTokens(client, Number(values.tokens))
  await fillTrades(client, Number(values.trades), Math.floor(Date.now() / 1_000))
  await fillLaunches(database.address)
  await fillRecords(client, Number(values.tokens))
  await client.query(
    "update tokens set description = repeat('d', 5000) where id in (select id from tokens order by created_at desc limit 2000)",
  )
  await client.query("vacuum (analyze)")
  const { rows } = await client.query("select id, mint_address as mint from tokens order by created_at desc limit 5000")
  const [traded] = (
    await client.query("select base_mint as mint from candles group by 1 order by count(*) desc limit 1")
  ).rows
  const payer = await generateKeyPairSigner()
  const signed = await Promise.all(
    Array.from({ length: SIGNED }, () =>
      Effect.runPromise(transferOf(payer, { blockhash: sampleAddress(), lastValidBlockHeight: 1n })),
    ),
  )
  const funded = SEEDED_POOLS[1]!.creator
  await new Cluster(chain.url).airdrop(funded, 100_000_000_000n)
  return {
    tokenIds: rows.map(({ id }) => String(id)),
    mints: rows.map(({ mint }) => String(mint)),
    tradedMint: String(traded.mint),
    funded,
    signed: signed.map(({ transaction }) => transaction),
  }
}

const uploaded = async (url: string): Promise<string> => {
  const image = new FormData()
  image.set("image", new Blob([new Uint8Array(noisePng(1, 600))], { type: "image/png" }), "a.png")
  const answer = await fetch(`${url}/api/ipfs/upload-image`, { method: "POST", body: image })
  const text = await answer.text()
  if (answer.status !== 200 && answer.status !== 201) throw new Error(text)
  return /"cid":"([^"]+)"/.exec(text)![1]!
}

/** Waits until what follows the index, and the vacuum, have nothing to do. */
const settled = async (service: ServiceProcess): Promise<void> => {
  const worked = () => service.cpuMillis + database.cpuMillis()
  for (let quiet = 0; quiet < 2;) {
    const before = worked()
    await pause(QUIET_MILLIS)
    quiet = worked() - before < QUIET_MILLIS * QUIET_SHARE ? quiet + 1 : 0
  }
}

/** Memory while so many streams of an address resume where they have 25 MB to read, and read nothing. */
const resumed = async (service: ServiceProcess): Promise<string> => {
  const changes = () => JSON.stringify(Array.from({ length: 20 }, () => sampleChange("trade", sampleAddress())))
  const commits = Array.from({ length: COMMITS }, changes)
  await client.query(
    `insert into index_changes (id, changes, committed_at)
     select (select coalesce(max(id), 0) from index_changes) + n, text, now() from unnest($1::text[]) with ordinality c (text, n)`,
    [commits],
  )
  const [memory, cpu, ofDatabase] = [service.residentMib, service.cpuMillis, database.cpuMillis()]
  service.resetPeak()
  const first = "GET /api/stream?lastEventId=1 HTTP/1.1\r\nhost: a\r\n\r\n"
  await held({ url: service.url, holdMillis: STREAMS_MILLIS }, { count: STREAMS, first, isRead: false })
  return `${STREAMS} streams that resume and read nothing: ${service.peakMib - memory} MiB, ${service.cpuMillis - cpu} ms of CPU, ${database.cpuMillis() - ofDatabase} ms of PostgreSQL`
}

const measured = async (service: ServiceProcess, { operations, request, times, what }: OperationScene) => {
  const pool = new Pool(service.url, { connections: Number(values.connections), bodyTimeout: 0 })
  const statuses = new Map<number, number>()
  let [sentBytes, answeredBytes, at] = [0, 0, 0]
  const ask = async (nth: number) => {
    const { body, headers = {}, method, path } = request(nth)
    sentBytes += path.length + (body?.length ?? 0) + JSON.stringify(headers).length
    const answer = await pool.request({ method: method as "GET", path, headers, body: body ?? null })
    for await (const chunk of answer.body) answeredBytes += (chunk as Buffer).length
    statuses.set(answer.statusCode, (statuses.get(answer.statusCode) ?? 0) + 1)
  }
  // Code that is compiled, and connections, are not of the request.
  for (; at < 3; at++) await ask(at).catch(() => undefined)
  ;[sentBytes, answeredBytes] = [0, 0]
  statuses.clear()
  const rowsNow = async () => Number((await client.query(ROWS)).rows[0].rows)
  const before = {
    ...{ rows: await rowsNow(), wal: await database.walBytes(), calls: node.calls, upstream: standIn.seen.length },
    ...{ memory: service.residentMib, database: database.cpuMillis(), cpu: service.cpuMillis },
  }
  service.resetPeak()
  const until = at + times
  await Promise.all(
    Array.from({ length: Number(values.connections) }, async () => {
      while (at < until) await ask(at++).catch((error: unknown) => say(`${what}: ${String(error)}`))
    }),
  )
  const each = (value: number, digits = 1) => (value / times).toFixed(digits).replace(/\.0+$/, "")
  const cells = [
    ...[operations.join(", ") || "–", what, each(sentBytes, 0)],
    ...[each(service.cpuMillis - before.cpu), each(database.cpuMillis() - before.database)],
    ...[each(node.calls - before.calls), each(standIn.seen.length - before.upstream)],
    ...[each((await rowsNow()) - before.rows), each(((await database.walBytes()) - before.wal) / 1_000)],
    ...[each(answeredBytes / 1_000), `${service.peakMib - before.memory}`],
    [...statuses].map(([status, count]) => `${count} × ${status}`).join(", "),
  ]
  await pool.close()
  return `| ${cells.join(" | ")} |`
}

try {
  const facts = await filled()
  const service = await start({ ROLE: "api", RPC_URL: nodeUrl })
  try {
    const scenes = operationScenes({ ...facts, cid: await uploaded(service.url) })
    const known = new Set([...scenes.flatMap(({ operations }) => operations), ...Object.keys(MEASURED_ELSEWHERE)])
    const missing = declared.filter((operation) => !known.has(operation))
    if (missing.length > 0) say(`Without a scene: ${missing.join(", ")}`)
    await settled(service)
    say(`${values.tokens} tokens, ${values.trades} trades, ${values.connections} requests at once; for each request:\n`)
    say(
      "| operations | request | bytes sent | CPU, ms | of PostgreSQL, ms | RPC calls | calls to the swap service | rows | WAL, kB | answer, kB | memory in all, MiB | answers |",
    )
    say("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for (const scene of scenes)
      if (`${scene.operations.join(", ")} ${scene.what}`.includes(values.only)) say(await measured(service, scene))
    if (STREAMS_NAME.includes(values.only)) say(`\n${await resumed(service)}`)
  } finally {
    await service.stop()
  }
} finally {
  await client.end()
  await database.stop()
  await standIn.stop()
  node.stop()
  await Effect.runPromise(Scope.close(scope, Exit.void))
  rmSync(folder, { recursive: true, force: true })
}
