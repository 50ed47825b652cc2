import { setTimeout as sleep } from "node:timers/promises"
import { HttpSender } from "./HttpSender.ts"
import { SECRET } from "./WebhookServers.ts"
import { readWorkload } from "./Workload.ts"

/** Results of the senders; latency of each delivery in milliseconds, sorted. */
export interface Sent {
  readonly millis: number
  readonly latencies: ReadonlyArray<number>
  readonly refused: number
}

/** Sends the bodies of a file over so many connections: each when a connection is free, or at a rate per second that is not 0. */
const [url, file, connections, rate] = process.argv.slice(2) as [string, string, string, string]
const bodies = readWorkload(file)
const headers = { authorization: SECRET, "content-type": "application/json" }
const senders = await Promise.all(
  Array.from({ length: Number(connections) }, () => HttpSender.open(new URL(url), "/api/webhooks/helius", headers)),
)

const sendAll = async (all: ReadonlyArray<Buffer>, perSecond: number): Promise<Sent> => {
  const latencies: Array<number> = []
  let refused = 0
  let next = 0
  const from = performance.now()
  const send = async (sender: HttpSender) => {
    while (next < all.length) {
      const index = next++
      // Latency counts from when a delivery is due, not from when a connection is free for it.
      const due = perSecond === 0 ? performance.now() : from + (index * 1_000) / perSecond
      if (due > performance.now()) await sleep(due - performance.now())
      if ((await sender.post(all[index]!)) !== 200) refused++
      latencies.push(performance.now() - due)
    }
  }
  await Promise.all(senders.map(send))
  return { millis: performance.now() - from, latencies: latencies.sort((left, right) => left - right), refused }
}

// Connections are established, code is compiled and memory is allocated before the clock starts: receivers run for weeks.
const warmUp = Math.floor(bodies.length / 2)
await sendAll(bodies.slice(0, warmUp), 0)
process.once("message", async () => {
  const sent = await sendAll(bodies.slice(warmUp), Number(rate))
  process.send!(sent, () => process.exit())
})
process.send!("ready")
