import type { TradeRow } from "@launch-registry/indexer/modules/TradeRow"
import { tradesOf } from "./Workload.ts"

const BODIES_PER_BATCH = 25

/** Trades of some 500 transactions at a time, decoded lazily. */
export const decodedBatches = function* (
  bodies: ReadonlyArray<Buffer>,
  bodiesPerBatch = BODIES_PER_BATCH,
): Generator<ReadonlyArray<TradeRow>> {
  for (let at = 0; at < bodies.length; at += bodiesPerBatch) yield tradesOf(bodies.slice(at, at + bodiesPerBatch))
}

/** Passes each batch to a free writer, so that the next one is decoded while others are written. */
export const eachWithFree = async <Batch, Writer>(
  batches: Iterable<Batch>,
  writers: ReadonlyArray<Writer>,
  write: (writer: Writer, batch: Batch) => Promise<void>,
): Promise<void> => {
  const free = [...writers]
  const busy = new Set<Promise<void>>()
  for (const batch of batches) {
    while (free.length === 0) await Promise.race(busy)
    const writer = free.pop()!
    const task: Promise<void> = write(writer, batch).finally(() => {
      busy.delete(task)
      free.push(writer)
    })
    busy.add(task)
    // Pending network input is processed first.
    await new Promise(setImmediate)
  }
  await Promise.all(busy)
}
