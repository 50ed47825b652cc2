import { hash, randomBytes } from "node:crypto"
import { once } from "node:events"
import { createRequire } from "node:module"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { Worker } from "node:worker_threads"
import { buildDag, buildDagOffLoop } from "@launch-registry/ipfs/Dag"
import { Effect } from "effect"
import type { Imported } from "./ImporterWorkerMain.ts"

/**
 * From bytes in memory to their DAG by the profile unixfs-v1-2025: sha2-256 of the same bytes alone, ours on the event loop
 * and off it, and ipfs-unixfs-importer on the event loop and in a worker thread, in shuffled order in one process.
 *
 * CPU is a mean of all rounds; other requests are blocked for the part on the main thread. Stalls are measured in
 * separate rounds, so that the monitor does not affect the times: a timer of 1 ms, and its maximum delay
 * per round.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "60" },
    sizes: { type: "string", default: "2048,65536,1048576,10485760,15728640" },
  },
})
const ROUNDS = Number(values.rounds)
const WARM_UP = 10
const STALL_ROUNDS = Math.ceil(ROUNDS / 2)
const PAUSE_MILLIS = 2

const ipfsRequire = createRequire(new URL("../../packages/ipfs/package.json", import.meta.url))
const { importer } = ipfsRequire("ipfs-unixfs-importer")
const { CID } = ipfsRequire("multiformats/cid")

const byImporter = async (content: Uint8Array): Promise<string> => {
  const blocks = new Map<string, Uint8Array>()
  const store = { put: async (cid: object, block: Uint8Array) => (blocks.set(String(cid), block), cid) }
  let root = ""
  for await (const { cid } of importer([{ content }], store, { profile: "unixfs-v1-2025" })) root = String(cid)
  return root
}

const worker = new Worker(new URL("ImporterWorkerMain.ts", import.meta.url))
worker.unref()
/** The file, transferred to the worker and back: neither thread copies it. */
const sent = new Map<Uint8Array, Uint8Array<ArrayBuffer>>()

const byWorker = async (bytes: Uint8Array): Promise<string> => {
  const file = sent.get(bytes) ?? Uint8Array.from(bytes)
  const answer = once(worker, "message")
  worker.postMessage(file, [file.buffer])
  const [imported] = (await answer) as [Imported]
  sent.set(bytes, imported.file)
  const blocks = imported.blocks.map(({ at, bytes, cid, length }) => ({
    cid: CID.decode(cid),
    bytes: bytes ?? imported.file.subarray(at, at + length),
  }))
  if (blocks.length === 0) throw new Error("The worker made no blocks")
  return CID.decode(imported.root).toString()
}

interface Contender {
  readonly name: string
  /** The root, or `undefined` for work without one. */
  readonly run: (bytes: Uint8Array) => Promise<string | undefined>
}

const CONTENDERS: ReadonlyArray<Contender> = [
  { name: "sha256 alone", run: async (bytes) => void hash("sha256", bytes, "buffer") },
  { name: "ours, on the loop", run: async (bytes) => buildDag(bytes).root.toString() },
  {
    name: "ours, off the loop",
    run: async (bytes) => (await Effect.runPromise(buildDagOffLoop(bytes))).root.toString(),
  },
  { name: "ipfs-unixfs-importer", run: byImporter },
  { name: "ipfs-unixfs-importer in a worker", run: byWorker },
]

/**
 * CPU of the process and of the main thread, in milliseconds. The order matters: Linux updates the count of the running thread
 * for the process only, and it is a tick behind otherwise.
 */
const cpuMillis = () => {
  const all = process.cpuUsage()
  const own = process.threadCpuUsage()
  return { all: (all.user + all.system) / 1000, own: (own.user + own.system) / 1000 }
}

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!

/** In a new order each time: a scheduler favours work that follows a sleep. */
const shuffled = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ value }) => value)

/** The longest stall of the event loop while `run` ran, beyond the 1 ms of the timer. */
const worstStall = async (run: () => Promise<unknown>): Promise<number> => {
  let last = performance.now()
  let worst = 0
  const look = () => {
    const now = performance.now()
    worst = Math.max(worst, now - last - 1)
    last = now
  }
  const timer = setInterval(look, 1)
  await sleep(PAUSE_MILLIS)
  worst = 0
  await run()
  await sleep(PAUSE_MILLIS)
  look()
  clearInterval(timer)
  return worst
}

const compare = async (size: number): Promise<void> => {
  const bytes = new Uint8Array(randomBytes(size))
  const measured = CONTENDERS.map((contender) => ({
    ...contender,
    millis: new Array<number>(),
    cpuMillis: 0,
    onLoopMillis: 0,
    stallMillis: new Array<number>(),
  }))
  const roots = new Set<string>()
  for (let round = 0; round < WARM_UP + ROUNDS; round++) {
    for (const each of shuffled(measured)) {
      await sleep(PAUSE_MILLIS)
      const before = cpuMillis()
      const from = performance.now()
      const root = await each.run(bytes)
      const took = performance.now() - from
      const after = cpuMillis()
      if (root !== undefined) roots.add(root)
      if (round < WARM_UP) continue
      each.millis.push(took)
      each.cpuMillis += (after.all - before.all) / ROUNDS
      each.onLoopMillis += (after.own - before.own) / ROUNDS
    }
  }
  if (roots.size !== 1) throw new Error(`The contenders do not agree: ${[...roots].join(", ")}`)
  for (let round = 0; round < STALL_ROUNDS; round++)
    for (const { run, stallMillis } of shuffled(measured)) stallMillis.push(await worstStall(() => run(bytes)))

  const alone = median(measured[0]!.millis)
  for (const { cpuMillis, millis, name, onLoopMillis, stallMillis } of measured) {
    const took = median(millis)
    process.stdout.write(
      `| ${size < 1_048_576 ? `${size / 1024} KiB` : `${size / 1_048_576} MiB`} | ${name} | ${took.toFixed(3)} ms | ${(took / alone).toFixed(2)}x ` +
        `| ${Math.min(...millis).toFixed(3)} ms | ${cpuMillis.toFixed(2)} ms | ${onLoopMillis.toFixed(2)} ms | ${median(stallMillis).toFixed(1)} ms | ${Math.max(...stallMillis).toFixed(1)} ms |\n`,
    )
  }
}

process.stdout.write(
  "| size | contender | median | against sha256 | least | CPU | of it on the loop | stall, median | stall, worst |\n",
)
process.stdout.write("|---|---|---|---|---|---|---|---|---|\n")
for (const size of values.sizes.split(",").map(Number)) await compare(size)
