import type { ServerResponse } from "node:http"
import { type QuoteKey, quoteKey, signed } from "./IntentsQuoteMaker.ts"

export type IntentsCall = "tokens" | "quote" | "submit" | "status"

/** What the stand-in does to a call instead of answering it. */
export type IntentsTrouble =
  | "hang"
  | "reset"
  /** The connection ends in the middle of the body. */
  | "cut"
  /** An HTML page with 200. */
  | "html"
  | "malformed_json"
  /** JSON of another shape. */
  | "other_shape"
  | "not_utf8"
  /** 404, as right after a deposit. */
  | "unknown_address"
  /** More than the client should read. */
  | "endless"
  | { readonly status: number; readonly retryAfter?: string; readonly body?: unknown; readonly isHtml?: boolean }
  /** JSON text sent as it is. */
  | { readonly status: number; readonly text: string }
  | { readonly redirectTo: string }
  /** A late answer. */
  | { readonly slowMillis: number }
  /** A quote that differs from the request. */
  | { readonly tamper: Tampering }

/** `resigned` changes and signs with the key of the service; the others change what was signed. */
export type Tampering =
  | "depositAddress"
  | "recipient"
  | "refundTo"
  | "amount"
  | "appFees"
  | "depositMode"
  | "deadline"
  | "stranger"
  | "unsigned"
  | "resigned_recipient"
  | "resigned_amount"

const ELSEWHERE: ReadonlyMap<Tampering, string> = new Map([
  ["recipient", "recipient"],
  ["refundTo", "refundTo"],
])

type Response = Readonly<Record<string, unknown>>
const inner = (response: Response, name: string): Response => JSON.parse(JSON.stringify(response[name]))

/** Swaps the last two different characters of an address, so that it keeps its form. */
export const altered = (text: string): string => {
  const last = text.at(-1)!
  const at = [...text].findLastIndex((character) => character !== last)
  return at < 0 ? `${text}x` : `${text.slice(0, at)}${last}${text.slice(at + 1, -1)}${text[at]}`
}

/** The signed response after a change in transit. */
export const tampered = (response: Response, how: Tampering, key: QuoteKey): Response => {
  const request = inner(response, "quoteRequest")
  const quote = inner(response, "quote")
  const changed = ELSEWHERE.get(how)
  if (changed !== undefined)
    return { ...response, quoteRequest: { ...request, [changed]: altered(String(request[changed])) } }
  switch (how) {
    case "depositAddress":
      return { ...response, quote: { ...quote, depositAddress: altered(String(quote.depositAddress)) } }
    case "amount":
      return { ...response, quote: { ...quote, amountOut: `${String(quote.amountOut)}0` } }
    case "appFees":
      return { ...response, quoteRequest: { ...request, appFees: [{ recipient: "thief.near", fee: 20 }] } }
    case "depositMode":
      return { ...response, quoteRequest: { ...request, depositMode: "MEMO" } }
    case "deadline":
      return { ...response, quoteRequest: { ...request, deadline: "2099-01-01T00:00:00.000Z" } }
    case "stranger":
      return { ...signed(quoteKey(), response) }
    case "unsigned":
      return { ...response, signature: "" }
    case "resigned_recipient":
      return {
        ...signed(key, { ...response, quoteRequest: { ...request, recipient: altered(String(request.recipient)) } }),
      }
    default:
      return {
        ...signed(key, {
          ...response,
          quoteRequest: { ...request, amount: `${String(request.amount)}0` },
          quote: { ...quote, amountIn: `${String(quote.amountIn)}0` },
        }),
      }
  }
}

const CHUNK = Buffer.alloc(65_536, " ")

const sendEndlessly = (response: ServerResponse): void => {
  response.writeHead(200, { "content-type": "application/json" })
  const send = () => {
    while (!response.destroyed && response.write(CHUNK)) void 0
    if (!response.destroyed) response.once("drain", send)
  }
  send()
}

/** Applies a fault to a call; `false` when the call is still answered, as it is or later. */
export const makeTrouble = (trouble: IntentsTrouble, response: ServerResponse): boolean => {
  const answer = (status: number, type: string, body: string | Buffer, headers: Record<string, string> = {}): true => {
    response.writeHead(status, { "content-type": type, ...headers }).end(body)
    return true
  }
  if (trouble === "hang") return true
  if (trouble === "reset") return response.socket?.resetAndDestroy() !== undefined || true
  if (trouble === "cut") {
    response.writeHead(200, { "content-type": "application/json", "content-length": "1000" })
    response.write('{"correlationId":', () => response.socket?.destroy())
    return true
  }
  if (trouble === "html") return answer(200, "text/html; charset=utf-8", "<!doctype html><title>Just a moment</title>")
  if (trouble === "malformed_json") return answer(200, "application/json", '{"status":"SUCC')
  if (trouble === "other_shape") return answer(200, "application/json", '{"data":{"status":7},"tokens":null}')
  if (trouble === "not_utf8") return answer(200, "application/json", Buffer.from([0x22, 0xff, 0xfe, 0x22]))
  if (trouble === "unknown_address") return answer(404, "application/json", '{"message":"Deposit address not found"}')
  if (trouble === "endless") {
    sendEndlessly(response)
    return true
  }
  if ("redirectTo" in trouble) return answer(302, "text/plain", "moved", { location: trouble.redirectTo })
  if ("text" in trouble) return answer(trouble.status, "application/json", trouble.text)
  if ("status" in trouble)
    return answer(
      trouble.status,
      trouble.isHtml ? "text/html" : "application/json",
      trouble.isHtml ? "<html>no</html>" : JSON.stringify(trouble.body ?? { message: "told to" }),
      trouble.retryAfter === undefined ? {} : { "retry-after": trouble.retryAfter },
    )
  return false
}
