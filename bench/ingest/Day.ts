import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { jsonServer } from "../../packages/chain/test/JsonServer.ts"
import { deliver } from "../../packages/indexer/fixtures/DeliverTransactions.ts"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { type GeneratedBlock, truthOf } from "../../packages/indexer/fixtures/GeneratedModel.ts"
import { StandInCluster } from "../../packages/indexer/test/StandInCluster.ts"
import { sendAsHelius } from "../../packages/service/test/HeliusSender.ts"
import { answering, freePort, run } from "../../packages/service/test/RunningService.ts"

/**
 * A day of the chain in a few minutes: 216,000 slots; a share of the deliveries is never sent. Ends when `/api/system/indexer`
 * reports every slot as proven, and compares the trades with the generator's model.
 */
const { values } = parseArgs({
  options: { slots: { type: "string", default: "216000" }, lost: { type: "string", default: "0.02" } },
})
const SECRET = "the secret of a generated day"
const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Blocks with transactions of the program; the slots between them have none. */
const STRIDE = 27
/** Deliveries are this far ahead of finality, and out of order by less. */
const BLOCKS_TO_FINALITY = 30
const generated = [
  ...generateBlocks({
    seed: 12,
    slots: Math.ceil(Number(values.slots) / STRIDE),
    transactionsPerSlot: 5,
    isLarge: false,
  }),
]
const truth = truthOf(generated)
const [first] = generated as [GeneratedBlock]
const blocks = generated.map(({ blockTime, slot, transactions }): GeneratedBlock => {
  const at = {
    slot: first.slot + (slot - first.slot) * STRIDE,
    blockTime: first.blockTime + (blockTime - first.blockTime) * STRIDE,
  }
  return { ...at, transactions: transactions.map((transaction) => ({ ...transaction, ...at })) }
})
const [firstSlot, lastSlot] = [blocks[0]!.slot, blocks.at(-1)!.slot]

const faults = {
  seed: 5,
  duplicateShare: 0.03,
  shuffleWindow: 100,
  shuffleShare: 0.05,
  poisonShare: 0.001,
  batchMax: 8,
}
const { bodies } = deliver(blocks, faults)
const every = Math.round(1 / Number(values.lost))
const sent = bodies.filter((_, index) => index % every !== every - 1)

const day = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "registry-day-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { address } = yield* embeddedPostgres({ folder })
  const cluster = new StandInCluster().put(blocks).finalize(firstSlot - 1)
  const rpcUrl = yield* jsonServer((body: never, response) => cluster.answer(body, response))
  const port = yield* Effect.promise(freePort)
  const url = `http://127.0.0.1:${port}`
  const running = run({
    DATABASE_URL: `postgres://${address.username}@localhost/${address.database}?host=${address.socketDirectory}`,
    ...{ NETWORK: "localnet", RPC_URL: rpcUrl, RPC_GENESIS_HASH: "any", HELIUS_WEBHOOK_SECRET: SECRET },
    ...{ INDEXER_RECONCILE_SECONDS: "1", PORT: String(port) },
  })
  yield* Effect.addFinalizer(() => Effect.sync(() => running.process.kill("SIGTERM")))
  // oxlint-disable-next-line typescript/no-explicit-any
  const status = (): Promise<any> => fetch(`${url}/api/system/indexer`).then((response) => response.json())
  yield* Effect.promise(async () => {
    await answering(running, url)
    while ((await status()).data.finalizedSlot === null) await new Promise((resolve) => setTimeout(resolve, 100))
  })
  say(
    `${truth.transactions.length} transactions in ${lastSlot - firstSlot + 1} slots; ${bodies.length - sent.length} of ${bodies.length} deliveries are never sent.`,
  )
  const deliveries = yield* Effect.promise(() =>
    sendAsHelius({
      ...{ bodies: sent, urls: [url], secret: SECRET, atOnce: 8, retryMillis: 1_000 },
      // The chain finalizes slots some time after their deliveries.
      onSent: (count) => {
        const block = blocks[Math.floor((blocks.length * count) / sent.length) - BLOCKS_TO_FINALITY]
        if (block !== undefined) cluster.finalize(block.slot)
      },
    }),
  )
  say(`Sent: ${JSON.stringify(deliveries)}`)
  const from = performance.now()
  cluster.finalize(lastSlot)
  const proven = yield* Effect.promise(async () => {
    for (;;) {
      const { data } = await status()
      if (data.programWatermarkSlot === String(lastSlot) && data.inbox.pendingSegments === 0) return data
      await new Promise((resolve) => setTimeout(resolve, 250))
    }
  })
  say(
    `Proven ${((performance.now() - from) / 1000).toFixed(0)} s after the last slot was finalized; GET /api/system/indexer:`,
  )
  const { coverage, deadLetters, dropped, gaps, poison, programWatermarkSlot, watermarkSlot } = proven
  say(
    JSON.stringify({ watermarkSlot, programWatermarkSlot, coverage, gaps, poison, deadLetters, dropped }, undefined, 2),
  )
  const [found] = yield* Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly trades: number; readonly volume: string }>`
      select count(*)::integer as trades, sum(quote_amount)::text as volume from trades`,
  ).pipe(Effect.provide(Database.layer(address)))
  const volume = truth.trades.reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n)
  say(
    `trades: ${found!.trades} in the tables, ${truth.trades.length} on the chain; volume: ${found!.volume}, ${volume}`,
  )
  if (found!.trades !== truth.trades.length || found!.volume !== String(volume)) process.exitCode = 1
})

await Effect.runPromise(Effect.scoped(day))
process.exit()
