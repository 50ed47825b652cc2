import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join } from "node:path"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect, Logger } from "effect"
import { jsonServer } from "../../packages/chain/test/JsonServer.ts"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import { StandInCluster } from "../../packages/indexer/test/StandInCluster.ts"
import { sendAsHelius } from "../../packages/service/test/HeliusSender.ts"
import { SteadyClient } from "../../packages/service/test/rolling/SteadyClient.ts"
import { Readers } from "./Readers.ts"
import { type Memory, memoryOf, type Sample } from "./ResidentMemory.ts"
import { started } from "./StartedService.ts"

/**
 * Whether the memory of the roles stays flat: one api and one indexer process under steady load, sampled every five seconds.
 * The block cache of the gateway is filled first. The time after the warm-up is divided into four parts; exits with 1 when
 * the median of the last one is more than a tenth above that of the first, or when a request failed.
 */
const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "34" },
    /** Until the 8 million characters of recent changes are there: with 12 transactions a slot 7 minutes, with 6 twice that. */
    warm: { type: "string", default: "9" },
    workers: { type: "string", default: "6" },
    pause: { type: "string", default: "40" },
    readers: { type: "string", default: "20" },
    transactions: { type: "string", default: "12" },
    /** Uploaded and read back first: 64 MiB of blocks are about 1,700. */
    images: { type: "string", default: "1800" },
    /** `NAME=value` of the environment of both processes, any number of times. */
    env: { type: "string", multiple: true, default: [] },
    /** A file for all samples, as JSON. */
    samples: { type: "string" },
  },
})
const [minutes, warmMinutes, workers, pauseMillis, readers, transactionsPerSlot, images] = [
  ...[values.minutes, values.warm, values.workers, values.pause, values.readers, values.transactions, values.images],
].map(Number) as [number, number, number, number, number, number, number]

const SECRET = "the-secret-of-the-soak"
/** As on mainnet in November 2026. */
const SLOT_MILLIS = 250
/** Finality follows this far behind. */
const FINAL_SLOTS = 32
const SAMPLE_MILLIS = 5_000
const PARTS = 4
const GROWTH_MAX = 1.1
const FIRST_SLOT = 300_000_000

const say = (text: string) => void process.stdout.write(`${text}\n`)
/** By least squares, per hour. */
const slopeOf = (samples: ReadonlyArray<Sample>): number => {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [minute, resident] = [mean((one) => one.minute), mean((one) => one.residentMib)]
  const covariance = mean((one) => (one.minute - minute) * (one.residentMib - resident))
  return (60 * covariance) / mean((one) => (one.minute - minute) ** 2)
}
const median = (all: ReadonlyArray<number>) => all.toSorted((a, b) => a - b)[Math.floor((all.length - 1) / 2)]!

/** Produces blocks at the chain's speed and delivers them, but for one slot of fifty, which the reconciler has to find. */
const produce = async (cluster: StandInCluster, url: string, isOver: () => boolean) => {
  const slots = Math.ceil((minutes * 60_000) / SLOT_MILLIS)
  // Only trades of the last minutes are emitted.
  const firstBlockTime = Math.floor(Date.now() / 1_000)
  const chain = { seed: 7, slots, transactionsPerSlot, isLarge: false, firstSlot: FIRST_SLOT, firstBlockTime }
  const blocks = generateBlocks(chain)
  const counts = { transactions: 0, lost: 0, slot: 0 }
  const done = (async () => {
    for (const block of blocks) {
      if (isOver()) return
      const due = sleep(SLOT_MILLIS)
      counts.slot = block.slot
      counts.transactions += block.transactions.length
      cluster.put([block])
      cluster.confirmedSlot = block.slot
      cluster.finalize(block.slot - FINAL_SLOTS)
      if (block.slot % 50 !== 0 && block.transactions.length > 0) {
        const { lost } = await sendAsHelius({
          bodies: [JSON.stringify(block.transactions)],
          ...{ urls: [url], secret: SECRET, atOnce: 1, retryMillis: 100, deadlineMillis: 60_000 },
        })
        counts.lost += lost
      }
      await due
    }
  })()
  return { counts, done }
}

const main = Effect.gen(function* () {
  const folder = mkdtempSync(join(tmpdir(), "registry-memory-"))
  yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true, force: true })))
  const { address } = yield* embeddedPostgres({ folder })
  const cluster = new StandInCluster().finalize(FIRST_SLOT - 1)
  const rpcUrl = yield* jsonServer((body: never, response) => cluster.answer(body, response))
  const environment = {
    DATABASE_URL: `postgres://${address.username}@localhost/${address.database}?host=${address.socketDirectory}`,
    ...{ NETWORK: "localnet", RPC_URL: rpcUrl, RPC_GENESIS_HASH: "any", HELIUS_WEBHOOK_SECRET: SECRET },
    ...{ INDEXER_RECONCILE_SECONDS: "5", LOG_LEVEL: "warn" },
    ...Object.fromEntries(values.env.map((pair) => [pair.replace(/=.*/, ""), pair.replace(/^[^=]*=/, "")])),
  }
  const api = yield* started({ ...environment, ROLE: "api" })
  const indexer = yield* started({ ...environment, ROLE: "indexer" })
  say(
    `${minutes} minutes, the first ${warmMinutes} to warm up; ${transactionsPerSlot} transactions a slot of ${SLOT_MILLIS} ms, ` +
      `${workers} workers with ${pauseMillis} ms between requests, ${readers} readers of the stream, an upload a second; ` +
      `${cpus().length} cores, Node ${process.version}.`,
  )
  const samples: Record<"api" | "indexer", Array<Sample>> = { api: [], indexer: [] }
  yield* Effect.promise(async () => {
    const startedAt = performance.now()
    const minutesNow = () => (performance.now() - startedAt) / 60_000
    const isOver = () => minutesNow() > minutes
    const chain = await produce(cluster, api.url, isOver)
    const client = new SteadyClient(api.port, { workers, pauseMillis })
    const further = new Readers(api.url, { streams: readers, images })
    void further.filled.then(() => say(`${images} images after ${minutesNow().toFixed(1)} minutes`))
    const delay = monitorEventLoopDelay()
    delay.enable()
    while (!isOver()) {
      await sleep(SAMPLE_MILLIS)
      const minute = minutesNow()
      samples.api.push({ minute, ...(await memoryOf(api)) })
      samples.indexer.push({ minute, ...(await memoryOf(indexer)) })
    }
    await Promise.all([chain.done, client.stop(), further.stop()])
    const failures = new Map([...client.failures, ...further.failures])
    const failed = [...failures.values()].reduce((sum, times) => sum + times, 0)
    say(
      `requests ${client.requests + further.requests}, of which ${failed} failed; events read ${further.events}; uploads ${further.uploads}; ` +
        `transactions ${chain.counts.transactions}, deliveries given up ${chain.counts.lost}; ` +
        `longest stall of the bench itself ${Math.round(delay.max / 1e6)} ms`,
    )
    for (const [failure, times] of failures) say(`failed ${times} times: ${failure}`)
    if (failed > 0 || chain.counts.lost > 0) process.exitCode = 1
  })

  if (values.samples !== undefined) writeFileSync(values.samples, JSON.stringify(samples))
  for (const [role, all] of Object.entries(samples)) {
    const partOf = ({ minute }: Sample) => Math.floor(((minute - warmMinutes) / (minutes - warmMinutes)) * PARTS)
    const parts = Array.from({ length: PARTS }, (_, part) => all.filter((sample) => partOf(sample) === part))
    const rowOf = (field: keyof Memory) => parts.map((part) => median(part.map((sample) => sample[field])))
    const row = (field: keyof Memory) => rowOf(field).join(", ")
    const resident = rowOf("residentMib")
    const growth = resident.at(-1)! / resident[0]!
    const slope = slopeOf(all.filter(({ minute }) => minute >= warmMinutes))
    say(
      `${role}: resident ${row("residentMib")} MiB (last of first ${growth.toFixed(2)}x, slope ${slope.toFixed(0)} MiB an hour), ` +
        `of which malloc ${row("mallocMib")}, mapped ${row("mappedMib")}; heap used ${row("heapMib")}, size ${row("heapSizeMib")}; ` +
        `buffers ${row("externalMib")}; most ever resident ${Math.max(...all.map((sample) => sample.residentMib))} MiB`,
    )
    if (growth > GROWTH_MAX) {
      say(`FAULT: the memory of ${role} grew by more than a tenth`)
      process.exitCode = 1
    }
  }
})

NodeRuntime.runMain(Effect.scoped(main).pipe(Effect.provide(Logger.layer([]))))
