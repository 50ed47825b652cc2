import { type Agent, type IncomingHttpHeaders, request as httpRequest } from "node:http"
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib"
import type { FuzzRequest } from "./FuzzRequest.ts"

export interface FuzzAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Decompressed; of an event stream, its beginning. */
  readonly body: Buffer
}

const ANSWER_MILLIS_MAX = 60_000

const DECODERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
  zstd: zstdDecompressSync,
}

/** Sends a request as it is, and reads the whole answer; an event stream is closed after its first chunk. */
export const sendRequest = (base: string, agent: Agent, request: FuzzRequest): Promise<FuzzAnswer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base)
    const { body, headers, method, url } = request
    const length = body === undefined ? {} : { "content-length": body.length }
    const sent = httpRequest(
      { hostname, port, method, path: url, agent, headers: { ...length, ...headers } as never },
      (response) => {
        const chunks: Array<Buffer> = []
        const finish = () => {
          const decode = DECODERS[response.headers["content-encoding"] ?? ""]
          const bytes = Buffer.concat(chunks)
          try {
            const plain = decode === undefined || bytes.length === 0 ? bytes : decode(bytes)
            resolve({ status: response.statusCode!, headers: response.headers, body: plain })
          } catch (error) {
            reject(error as Error)
          }
        }
        const isEndless = response.headers["content-type"]?.startsWith("text/event-stream") === true
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk)
          if (!isEndless) return
          finish()
          response.destroy()
        })
        response.on("end", finish)
        response.on("error", (error) => (isEndless ? undefined : reject(error)))
      },
    )
    sent.setTimeout(ANSWER_MILLIS_MAX, () => sent.destroy(new Error("there is no answer")))
    sent.on("error", reject)
    sent.end(body)
  })
