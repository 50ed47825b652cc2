import { createWriteStream, readFileSync } from "node:fs"
import { once } from "node:events"
import type { DecodableTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { keyOf } from "@launch-registry/indexer/inbox/ReadBody"
import { decodedEvents } from "@launch-registry/indexer/modules/DatabaseChanges"
import { type TradeRow, tradesOfEvents } from "@launch-registry/indexer/modules/FactRows"
import { deliver } from "../../packages/indexer/fixtures/DeliverTransactions.ts"
import { generateBlocks } from "../../packages/indexer/fixtures/GenerateTransactions.ts"
import type { BenchAddress } from "../BenchDatabase.ts"

/** Prepares everything before the clock starts; the returned function does the work. */
export type Prepare = (bodies: ReadonlyArray<Buffer>, address: BenchAddress) => Promise<() => Promise<void>>

const PER_SLOT = 20
const PER_BODY = 20
const BODIES_PER_BATCH = 25

/**
 * Faults of the deliveries, as shares of the transactions. In addition, one transaction in 200 failed on the chain.
 */
const FAULTS = { duplicateShare: 0.02, shuffleShare: 0.01, shuffleWindow: 400, poisonShare: 0.002 }
export const FAULTS_TEXT = "2 % come twice, 1 % late, 0.5 % failed, 0.2 % are no transactions"

/** Writes bodies of webhook deliveries, one per line, with 20 transactions on average; returns the number of transactions. */
export const writeWorkload = async (path: string, transactions: number, seed = 1): Promise<number> => {
  const slots = Math.ceil(transactions / PER_SLOT)
  const blocks = generateBlocks({ seed, slots, transactionsPerSlot: PER_SLOT, dammShare: 0 })
  const { bodies } = deliver(blocks, { seed: 2, batchMax: 2 * PER_BODY - 1, ...FAULTS })
  const file = createWriteStream(path)
  let elements = 0
  for (const body of bodies) {
    elements += elementsOf(body).length
    if (!file.write(`${body}\n`)) await once(file, "drain")
  }
  file.end()
  await once(file, "close")
  return elements
}

/** The bodies of a file, all in memory. */
export const readWorkload = (path: string): ReadonlyArray<Buffer> => {
  const content = readFileSync(path)
  const bodies: Array<Buffer> = []
  for (let at = 0; at < content.length;) {
    const end = content.indexOf(10, at)
    bodies.push(content.subarray(at, end))
    at = end + 1
  }
  return bodies
}

/** The contents of a body, parsed in the plain way. */
const elementsOf = (body: string): ReadonlyArray<unknown> => {
  const parsed = JSON.parse(body) as unknown
  return Array.isArray(parsed) ? parsed : [parsed]
}

/** The trades in bodies, by the decoder and rules of the indexer, without those that would be dead-lettered. */
const tradesOf = (bodies: ReadonlyArray<Buffer>): ReadonlyArray<TradeRow> => {
  const transactions = bodies.flatMap((body) =>
    elementsOf(body.toString()).filter((element) => typeof keyOf(element) !== "string"),
  )
  return tradesOfEvents(decodedEvents(transactions as ReadonlyArray<DecodableTransaction>).events)
}

/** Trades of some 500 transactions at a time, decoded lazily. */
export const decodedBatches = function* (bodies: ReadonlyArray<Buffer>): Generator<ReadonlyArray<TradeRow>> {
  for (let at = 0; at < bodies.length; at += BODIES_PER_BATCH) yield tradesOf(bodies.slice(at, at + BODIES_PER_BATCH))
}
