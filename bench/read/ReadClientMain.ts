import { Pool } from "undici"
import { quantile } from "../Quantiles.ts"

/** GETs to repeat. */
export interface Order {
  readonly url: string
  /** Requested in turn. */
  readonly paths: ReadonlyArray<string>
  readonly connections: number
  readonly millis: number
  /** Whether each request names the ETag that its path was answered with. */
  readonly isConditional: boolean
}

export interface Read {
  readonly requests: number
  readonly millis: number
  /** Of single requests. */
  readonly p50: number
  readonly p99: number
  /** Answers with another status than 200, or 304 of a conditional one. */
  readonly wrong: number
}

const readAll = async ({ connections, isConditional, millis, paths, url }: Order): Promise<Read> => {
  const pool = new Pool(url, { connections, pipelining: 1 })
  const get = async (at: number, etag?: string) => {
    const answer = await pool.request({
      ...{ path: paths[at]!, method: "GET" as const },
      ...(etag !== undefined && { headers: { "if-none-match": etag } }),
    })
    await answer.body.dump()
    return answer
  }
  const etags: Array<string> = []
  if (isConditional) for (const at of paths.keys()) etags.push(String((await get(at)).headers["etag"]))
  const from = performance.now()
  const took: Array<number> = []
  let next = 0
  let wrong = 0
  const asker = async () => {
    while (performance.now() - from < millis) {
      const at = next++ % paths.length
      const startedAt = performance.now()
      const { statusCode } = await get(at, etags[at])
      took.push(performance.now() - startedAt)
      if (statusCode !== (isConditional ? 304 : 200)) wrong++
    }
  }
  await Promise.all(Array.from({ length: connections }, asker))
  const read = { requests: took.length, millis: performance.now() - from, wrong }
  await pool.close()
  return { ...read, p50: quantile(took, 0.5), p99: quantile(took, 0.99) }
}

process.on("message", (order: Order) => void readAll(order).then((read) => process.send!(read)))
process.once("disconnect", () => process.exit())
process.send!("ready")
