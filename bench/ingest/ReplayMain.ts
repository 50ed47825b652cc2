import { isSameDigest } from "@launch-registry/indexer/replay/Digest"
import { replay } from "@launch-registry/indexer/replay/Rebuild"
import { ManagedRuntime } from "effect"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import type { BenchAddress } from "./BenchDatabase.ts"
import { indexLayer, ingestAll, lead } from "./Ours.ts"

/** Durations of ingest and replay, and the peak memory of the process. */
export interface Replayed {
  readonly transactions: number
  readonly ingestMillis: number
  readonly replayMillis: number
  readonly isSame: boolean
  readonly peakMegabytes: number
}

const PER_BODY = 20

/** Ingests so many generated transactions, block by block, and rebuilds all tables from them. */
const [count, address] = process.argv.slice(2) as [string, string]
const bodies = function* (): Generator<Buffer> {
  const slots = Number(count) / PER_BODY
  for (const { transactions } of generateBlocks({ seed: 1, slots, transactionsPerSlot: PER_BODY }))
    yield Buffer.from(JSON.stringify(transactions))
}
const runtime = ManagedRuntime.make(indexLayer(JSON.parse(address) as BenchAddress))
const fence = await runtime.runPromise(lead)

const from = performance.now()
await runtime.runPromise(ingestAll(bodies(), fence))
const between = performance.now()
const { live, rebuilt, transactions } = await runtime.runPromise(replay(fence))
const answer: Replayed = {
  transactions,
  ingestMillis: between - from,
  replayMillis: performance.now() - between,
  isSame: isSameDigest(live, rebuilt),
  peakMegabytes: process.resourceUsage().maxRSS / 1_024,
}
process.send!(answer, () => process.exit())
