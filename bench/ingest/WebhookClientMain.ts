import { HttpSender } from "./HttpSender.ts"
import { SECRET } from "./WebhookServers.ts"
import { readWorkload } from "./Workload.ts"

/** What the senders saw; times of each delivery in milliseconds, sorted. */
export interface Sent {
  readonly millis: number
  readonly latencies: ReadonlyArray<number>
  readonly refused: number
}

/** Sends all bodies of a file over so many connections, each waiting for its answer before it sends the next. */
const [url, file, connections] = process.argv.slice(2) as [string, string, string]
const bodies = readWorkload(file)
const headers = { authorization: SECRET, "content-type": "application/json" }
const senders = await Promise.all(
  Array.from({ length: Number(connections) }, () => HttpSender.open(new URL(url), "/api/webhooks/helius", headers)),
)

const sendAll = async (all: ReadonlyArray<Buffer>): Promise<Sent> => {
  const latencies: Array<number> = []
  let refused = 0
  let next = 0
  const from = performance.now()
  const send = async (sender: HttpSender) => {
    while (next < all.length) {
      const body = all[next++]!
      const start = performance.now()
      if ((await sender.post(body)) !== 200) refused++
      latencies.push(performance.now() - start)
    }
  }
  await Promise.all(senders.map(send))
  return { millis: performance.now() - from, latencies: latencies.sort((left, right) => left - right), refused }
}

// Connections are made, code is compiled and memory is touched before the clock starts: receivers run for weeks.
const warmUp = Math.floor(bodies.length / 2)
await sendAll(bodies.slice(0, warmUp))
process.once("message", async () => {
  const sent = await sendAll(bodies.slice(warmUp))
  process.send!(sent, () => process.exit())
})
process.send!("ready")
