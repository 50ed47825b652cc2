import { STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import type { ErrorEnvelope } from "@launch-registry/domain/http/ErrorEnvelope"

interface LastAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An answer that was made before the router, and ends its connection. */
export const lastAnswer = (envelope: ErrorEnvelope, headers: Readonly<Record<string, string>> = {}): LastAnswer => {
  const body = JSON.stringify(envelope)
  const ofBody = { "content-type": "application/json", "content-length": String(Buffer.byteLength(body)) }
  return { headers: { ...ofBody, "x-content-type-options": "nosniff", ...headers, connection: "close" }, body }
}

/** Writes an answer to a connection that has no request, and ends it. Its client gets `lingerMillis` to read why and to close it itself. */
export const refuseConnection = (
  socket: Duplex,
  status: number,
  { body, headers }: LastAnswer,
  lingerMillis: number,
): void => {
  const lingering = setTimeout(() => socket.destroy(), lingerMillis).unref()
  socket.on("error", () => {}).once("close", () => clearTimeout(lingering))
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`)
}
