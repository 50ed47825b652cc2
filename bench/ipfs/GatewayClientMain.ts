import { readFileSync } from "node:fs"
import { join } from "node:path"
import { Pool } from "undici"

/** Requests to repeat. */
export interface Order {
  readonly url: string
  /** Requested in turn, so that concurrent requests are for different ones. */
  readonly cids: ReadonlyArray<string>
  /** The folder with the expected content, by CID. */
  readonly folder: string
  readonly connections: number
  readonly millis: number
}

/** The result. */
export interface Fetched {
  readonly requests: number
  readonly millis: number
  readonly wrong: number
}

/** Executes orders sequentially; every received byte is compared. */
const fetchAll = async ({ cids, connections, folder, millis, url }: Order): Promise<Fetched> => {
  const files = cids.map((cid) => ({ cid, expected: readFileSync(join(folder, cid)) }))
  let next = 0
  const pool = new Pool(url, { connections, pipelining: 1 })
  const fetchOne = async (): Promise<boolean> => {
    const { cid, expected } = files[next++ % files.length]!
    const { body, statusCode } = await pool.request({ path: `/ipfs/${cid}`, method: "GET" })
    let at = 0
    let isRight = statusCode === 200
    for await (const part of body as AsyncIterable<Buffer>) {
      isRight &&= expected.compare(part, 0, part.length, at, at + part.length) === 0
      at += part.length
    }
    return isRight && at === expected.length
  }
  const run = async (until: number): Promise<Fetched> => {
    const from = performance.now()
    let requests = 0
    let wrong = 0
    const asker = async () => {
      while (performance.now() - from < until) {
        if (!(await fetchOne())) wrong++
        requests++
      }
    }
    await Promise.all(Array.from({ length: connections }, asker))
    return { requests, wrong, millis: performance.now() - from }
  }
  // Connections are established and code is compiled before the clock starts.
  await run(millis / 5)
  const fetched = await run(millis)
  await pool.close()
  return fetched
}

process.on("message", (order: Order) => void fetchAll(order).then((fetched) => process.send!(fetched)))
process.once("disconnect", () => process.exit())
process.send!("ready")
