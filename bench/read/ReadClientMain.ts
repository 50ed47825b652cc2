import { Pool } from "undici"
import { SOL, tokenDraft, transactionDraft } from "../../packages/service/test/Samples.ts"

/** Requests to repeat. */
export interface Order {
  /** Of the replicas of a server; each connection is to one of them. */
  readonly urls: ReadonlyArray<string>
  /** Requested in turn. */
  readonly paths: ReadonlyArray<string>
  readonly connections: number
  readonly millis: number
  /** Whether each request names the ETag that its path was answered with. */
  readonly isConditional: boolean
  readonly acceptEncoding?: string
  /** What each request posts, another one each; requests without it are GETs. */
  readonly posted?: keyof typeof DRAFTS
}

const CONFIG = {
  buildCurveMode: 1,
  totalTokenSupply: 1_000_000_000,
  tokenBaseDecimal: 6,
  tokenQuoteDecimal: 9,
  migrationOption: 1,
}

const DRAFTS = {
  token: tokenDraft,
  /** As an application registers what it has launched. */
  launch: () => tokenDraft({ tags: ["meme", "dog", "fair"], tokenConfig: { quoteMint: SOL, dbcConfig: CONFIG } }),
  record: transactionDraft,
}

export interface Read {
  readonly requests: number
  readonly millis: number
  /** Of single requests. */
  readonly p50: number
  readonly p99: number
  /** Answers with another status than 200, 304 of a conditional one, or 201 of what is posted. */
  readonly wrong: number
}

const etagsOf = async (pool: Pool, paths: ReadonlyArray<string>) => {
  const etags: Array<string> = []
  for (const path of paths) {
    const { body, headers } = await pool.request({ path, method: "GET" })
    await body.dump()
    etags.push(String(headers["etag"]))
  }
  return etags
}

const readAll = async ({
  acceptEncoding,
  connections,
  isConditional,
  millis,
  paths,
  posted,
  urls,
}: Order): Promise<Read> => {
  const pools = urls.map((url) => new Pool(url, { connections: Math.ceil(connections / urls.length), pipelining: 1 }))
  const etags = isConditional ? await etagsOf(pools[0]!, paths) : undefined
  const expected = posted !== undefined ? 201 : isConditional ? 304 : 200
  const from = performance.now()
  const took: Array<number> = []
  let next = 0
  let wrong = 0
  const asker = async (_: unknown, number: number) => {
    const pool = pools[number % pools.length]!
    while (performance.now() - from < millis) {
      const at = next++ % paths.length
      const startedAt = performance.now()
      const headers = {
        ...(etags !== undefined && { "if-none-match": etags[at]! }),
        ...(acceptEncoding !== undefined && { "accept-encoding": acceptEncoding }),
        ...(posted !== undefined && { "content-type": "application/json" }),
      }
      const { body, statusCode } = await pool.request({
        ...{ path: paths[at]!, method: posted === undefined ? "GET" : "POST", headers },
        body: posted === undefined ? null : JSON.stringify(DRAFTS[posted]()),
      })
      await body.dump()
      took.push(performance.now() - startedAt)
      if (statusCode !== expected) wrong++
    }
  }
  await Promise.all(Array.from({ length: connections }).map(asker))
  const read = { requests: took.length, millis: performance.now() - from, wrong }
  await Promise.all(pools.map((pool) => pool.close()))
  took.sort((a, b) => a - b)
  const at = (share: number) => took[Math.floor((took.length - 1) * share)]!
  return { ...read, p50: at(0.5), p99: at(0.99) }
}

process.on("message", (order: Order) => void readAll(order).then((read) => process.send!(read)))
process.once("disconnect", () => process.exit())
process.send!("ready")
