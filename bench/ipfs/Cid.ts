import { createCipheriv, createHash, hash, randomBytes } from "node:crypto"
import { createRequire } from "node:module"
import { setTimeout as sleep } from "node:timers/promises"
import { parseArgs } from "node:util"
import { buildDag } from "@launch-registry/ipfs/Dag"
import { buildDagOffLoop, streamDag } from "@launch-registry/ipfs/DagBuilder"
import { Effect, Stream } from "effect"

/**
 * From bytes in memory to their DAG by the profile unixfs-v1-2025: sha2-256 of the same bytes alone, ours on the event loop
 * and off it, and ipfs-unixfs-importer, in turn in one process. Each of ours keeps every block; the importer puts them in
 * a Map.
 *
 * CPU is a mean of all rounds; other requests wait for the part of it that is on the loop, the main thread. Stalls are of
 * rounds of their own, so that the monitor costs the times nothing: a timer of 1 ms, and how much later than that it fired
 * at worst in a round.
 *
 * `--vector` streams the vector of IPIP-499 that is a byte longer than 1 GiB, in pieces of 64 KiB, instead.
 */
const SIZES = [65_536, 1_048_576, 10_485_760, 15_728_640] as const
const ROUNDS = 60
const WARM_UP = 10
const STALL_ROUNDS = 30
const PAUSE_MILLIS = 2

const serverRequire = createRequire(new URL("../../packages/ipfs/package.json", import.meta.url))
const { importer } = serverRequire("ipfs-unixfs-importer")

const byImporter = async (content: Uint8Array): Promise<string> => {
  const blocks = new Map<string, Uint8Array>()
  const store = { put: async (cid: object, block: Uint8Array) => (blocks.set(String(cid), block), cid) }
  let root = ""
  for await (const { cid } of importer([{ content }], store, { profile: "unixfs-v1-2025" })) root = String(cid)
  return root
}

interface Contender {
  readonly name: string
  /** The root, or `undefined` of what makes none. */
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
]

/**
 * CPU of the process and of the main thread, in milliseconds. The order matters: Linux brings the count of the running thread
 * up to date for the process alone, and it is a tick behind otherwise.
 */
const cpuMillis = () => {
  const all = process.cpuUsage()
  const own = process.threadCpuUsage()
  return { all: (all.user + all.system) / 1000, own: (own.user + own.system) / 1000 }
}

const median = (values: ReadonlyArray<number>) =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)]!

/** In another order each time: a scheduler favours who comes after one that slept. */
const shuffled = <A>(values: ReadonlyArray<A>): ReadonlyArray<A> =>
  values
    .map((value) => ({ value, at: Math.random() }))
    .sort((left, right) => left.at - right.at)
    .map(({ value }) => value)

/** The longest that the event loop was not free while `run` ran, beyond the 1 ms of the timer. */
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

/** 1 GiB + 1 byte of the ChaCha20 keystream of sha256(seed), nonce and counter zero; its first GiB is a vector too. */
const VECTOR = {
  seed: "v1-2025-seed",
  bytes: 1024 * 1_048_576 + 1,
  root: "bafybeibdsi225ugbkmpbdohnxioyab6jsqrmkts3twhpvfnzp77xtzpyhe",
  rootOfFirstGib: "bafybeihmf37wcuvtx4hpu7he5zl5qaf2ineo2lqlfrapokkm5zzw7zyhvm",
}
const PIECE_BYTES = 65_536

const keystream = function* () {
  const cipher = createCipheriv("chacha20", createHash("sha256").update(VECTOR.seed).digest(), new Uint8Array(16))
  const zeros = new Uint8Array(PIECE_BYTES)
  for (let at = 0; at < VECTOR.bytes; at += PIECE_BYTES) yield cipher.update(zeros.subarray(0, VECTOR.bytes - at))
}

const maxRssMib = () => process.resourceUsage().maxRSS / 1024

const reproduceVector = async (): Promise<void> => {
  const before = maxRssMib()
  const rssMib: Array<string> = []
  let blocks = 0
  let hasFirstGib = false
  const from = performance.now()
  const { root, sizeBytes } = await Effect.runPromise(
    streamDag(Stream.fromIterable(keystream(), { chunkSize: 1 }), ({ cid }) =>
      Effect.sync(() => {
        if (++blocks % 256 === 0) rssMib.push(maxRssMib().toFixed(0))
        hasFirstGib ||= cid.code === 0x70 && cid.toString() === VECTOR.rootOfFirstGib
      }),
    ),
  )
  const seconds = (performance.now() - from) / 1000
  if (root.toString() !== VECTOR.root) throw new Error(`The root is ${root.toString()}, not ${VECTOR.root}`)
  if (!hasFirstGib) throw new Error(`No node is ${VECTOR.rootOfFirstGib}`)
  process.stdout.write(
    `${root.toString()}: ${sizeBytes} bytes, ${blocks} blocks in ${seconds.toFixed(2)} s, keystream included; ` +
      `max RSS ${before.toFixed(0)} MiB before, ${rssMib.join(", ")} MiB after each quarter.\n`,
  )
}

const { vector } = parseArgs({ options: { vector: { type: "boolean", default: false } } }).values
if (vector) await reproduceVector()
else {
  process.stdout.write(
    "| size | contender | median | against sha256 | least | CPU | of it on the loop | stall, median | stall, worst |\n",
  )
  process.stdout.write("|---|---|---|---|---|---|---|---|---|\n")
  for (const size of SIZES) await compare(size)
}
