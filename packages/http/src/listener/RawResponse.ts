import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { ErrorEnvelope } from "@launch-registry/domain/http/ErrorEnvelope"

interface FinalResponse {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A response from before routing, which closes its connection. */
export const finalResponse = (
  envelope: ErrorEnvelope,
  headers: Readonly<Record<string, string>> = {},
): FinalResponse => {
  const body = JSON.stringify(envelope)
  const ofBody = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }
  const always = { "cache-control": "no-store", "x-content-type-options": "nosniff", connection: "close" }
  return { headers: { ...ofBody, ...headers, ...always }, body }
}

/**
 * Writes a response to a connection without a request and ends it. The client has `lingerMillis` to read it and close.
 */
export const rejectConnection = (
  socket: Duplex,
  status: number,
  { body, headers }: FinalResponse,
  lingerMillis: number,
): void => {
  const lingering = setTimeout(() => socket.destroy(), lingerMillis).unref()
  socket.on("error", () => {}).once("close", () => clearTimeout(lingering))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`)
}
