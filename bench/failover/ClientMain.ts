import { type ContenderName, contenderOf } from "./Contenders.ts"
import { slotAt } from "./StandInMain.ts"

/**
 * The clients of one contender in a process of their own: `ClientMain.ts <contender> <genesis hash> <url> <url>`. A
 * message gives the duration and starts it; it answers with the calls.
 */
export interface Order {
  readonly seconds: number
  readonly clients: number
}

/** The results: start of each call (ms since the start), its duration, and the answering endpoint (0: none). */
export interface Samples {
  readonly startedAt: number
  readonly at: ReadonlyArray<number>
  readonly millis: ReadonlyArray<number>
  readonly endpoint: ReadonlyArray<number>
  /** When a blockhash was requested, and how many slots behind the cluster it was. */
  readonly blockhashes: ReadonlyArray<readonly [at: number, age: number]>
  readonly switches: number
  readonly hedges: number
}

/** Between an answer and the next call of the same client. */
const THINK_MILLIS = 12
const BLOCKHASH_EVERY_MILLIS = 100

const pause = (millis: number) => new Promise((resolve) => setTimeout(resolve, millis))

const measure = async (order: Order): Promise<Samples> => {
  const [name, genesisHash, ...urls] = process.argv.slice(2)
  const contender = contenderOf(name as ContenderName, urls, genesisHash!)
  await contender.read(0)
  const startedAt = Date.now()
  const began = performance.now()
  const elapsed = () => performance.now() - began
  const [at, millis, endpoint]: [Array<number>, Array<number>, Array<number>] = [[], [], []]
  const blockhashes: Array<readonly [number, number]> = []
  let n = 0

  const client = async () => {
    await pause(Math.random() * THINK_MILLIS)
    while (elapsed() < order.seconds * 1_000) {
      const from = elapsed()
      const answered = await contender.read(++n).catch(() => 0)
      at.push(from)
      millis.push(elapsed() - from)
      endpoint.push(answered)
      await pause(THINK_MILLIS * (0.5 + Math.random()))
    }
  }
  const builder = async () => {
    while (elapsed() < order.seconds * 1_000) {
      const from = elapsed()
      const slot = await contender.blockhashSlot().catch(() => undefined)
      if (slot !== undefined) blockhashes.push([from, slotAt(Date.now()) - Number(slot)])
      await pause(BLOCKHASH_EVERY_MILLIS)
    }
  }
  await Promise.all([...Array.from({ length: order.clients }, client), builder()])
  const report = await contender.report()
  const hedges = report?.endpoints.reduce((sum, { hedgesLost, hedgesWon }) => sum + hedgesLost + hedgesWon, 0) ?? 0
  await contender.close()
  return { startedAt, at, millis, endpoint, blockhashes, switches: report?.switches ?? 0, hedges }
}

process.on("message", (order: Order) => {
  void measure(order).then((samples) => process.send!(samples, () => process.exit()))
})
process.on("disconnect", () => process.exit())
process.send!("ready")
