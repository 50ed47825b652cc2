import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { Effect } from "effect"
import { checkedLookup, type HostAddresses } from "../outgoing/HostAddresses.ts"
import { type RequestFault, requestFault } from "../outgoing/RequestFault.ts"
import { isFetchable, type MetadataOptions } from "./DocumentUrls.ts"

const TIMEOUT_MILLIS = 10_000
const BODY_BYTES_MAX = 65_536
const REDIRECTS_MAX = 3

const HEADERS = {
  accept: "application/json",
  // What is not compressed cannot be a bomb.
  "accept-encoding": "identity",
  "user-agent": "token-launch-registry",
}

/** Why there is no document. */
export type DocumentFault = RequestFault | "status" | "redirect" | "encoded" | "too_large" | "malformed"

/** What an attempt got: the bytes of a document and the host that answered them, or why not. */
export type Got =
  | { readonly bytes: Uint8Array; readonly source: string; readonly fault?: never }
  | { readonly fault: DocumentFault }

/** The head of an answer, on a connection of its own. */
const answerOf = (url: URL, addresses: HostAddresses, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const options = { agent: false, lookup: checkedLookup(addresses), headers: HEADERS, signal }
    const request = (url.protocol === "http:" ? requestHttp : requestHttps)(url, options)
    request.on("error", reject)
    request.on("close", () => reject(new Error("The connection was closed")))
    request.on("response", resolve)
    request.end()
  })

/** Where an answer redirects to; undefined if it does not. Null: elsewhere than to the host that was asked first or one below it. */
const redirectOf = ({ headers, statusCode = 0 }: IncomingMessage, url: URL, { host }: URL): URL | null | undefined => {
  if (statusCode < 301 || statusCode > 308 || headers.location === undefined) return undefined
  const next = URL.parse(headers.location, url.href)
  return next !== null && (next.host === host || next.host.endsWith(`.${host}`)) ? next : null
}

const bodyOf = async (response: IncomingMessage): Promise<Uint8Array | undefined> => {
  if (Number(response.headers["content-length"] ?? 0) > BODY_BYTES_MAX) return undefined
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of response) {
    if ((bytes += (chunk as Buffer).length) > BODY_BYTES_MAX) return undefined
    chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks)
}

const readAnswer = async (response: IncomingMessage, source: string): Promise<Got> => {
  if (response.statusCode !== 200) return { fault: "status" }
  if ((response.headers["content-encoding"] ?? "identity") !== "identity") return { fault: "encoded" }
  const bytes = await bodyOf(response)
  return bytes === undefined ? { fault: "too_large" } : { bytes, source }
}

/** Follows redirects within the host, each to an address that was checked. */
const follow = async (first: URL, allowsPrivate: boolean, addresses: HostAddresses, signal: AbortSignal) => {
  let url = first
  for (let redirects = 0; ; redirects++) {
    if (!isFetchable(url, allowsPrivate)) return { fault: "refused_address" } as const
    const response = await answerOf(url, addresses, signal)
    try {
      const next = redirectOf(response, url, first)
      if (next === undefined) {
        const got = await readAnswer(response, url.hostname)
        // A body that ends with its connection also ends with the deadline, and is not whole then.
        signal.throwIfAborted()
        return got
      }
      if (next === null || redirects === REDIRECTS_MAX) return { fault: "redirect" } as const
      url = next
    } finally {
      response.destroy()
    }
  }
}

/** Gets a document from where somebody said that it is: from public addresses only, unless others are allowed, and within bounds. */
export const getDocument =
  (options: MetadataOptions, addresses: HostAddresses) =>
  (url: string): Effect.Effect<Got> =>
    Effect.promise(async (abort) => {
      const timeout = AbortSignal.timeout(options.timeoutMillis ?? TIMEOUT_MILLIS)
      try {
        return await follow(new URL(url), options.allowsPrivate, addresses, AbortSignal.any([abort, timeout]))
      } catch (error) {
        return { fault: requestFault(error, timeout.aborted) }
      }
    })
