import { Pool } from "undici"
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
const pool = new Pool(url, { connections: Number(connections), pipelining: 1 })
const headers = { authorization: SECRET, "content-type": "application/json" }

const send = async (body: Buffer): Promise<boolean> => {
  const response = await pool.request({ path: "/api/webhooks/helius", method: "POST", headers, body })
  await response.body.dump()
  return response.statusCode === 200
}

const sendAll = async (all: ReadonlyArray<Buffer>): Promise<Sent> => {
  const latencies: Array<number> = []
  let refused = 0
  let next = 0
  const from = performance.now()
  const sender = async () => {
    while (next < all.length) {
      const body = all[next++]!
      const start = performance.now()
      if (!(await send(body))) refused++
      latencies.push(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: Number(connections) }, sender))
  return { millis: performance.now() - from, latencies: latencies.sort((left, right) => left - right), refused }
}

// Connections are made and code is compiled before the clock starts.
const warmUp = Math.floor(bodies.length / 10)
await sendAll(bodies.slice(0, warmUp))
process.once("message", async () => {
  const sent = await sendAll(bodies.slice(warmUp))
  process.send!(sent, () => process.exit())
})
process.send!("ready")
