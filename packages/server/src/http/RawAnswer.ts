import type { ErrorEnvelope } from "@launch-registry/domain/http/ErrorEnvelope"

/** An answer as it goes over the wire, for connections without a request; the connection ends with it. */
export const rawAnswer = (
  statusLine: string,
  envelope: ErrorEnvelope,
  headers: Readonly<Record<string, string>> = {},
): string => {
  const body = JSON.stringify(envelope)
  const all = {
    "content-type": "application/json",
    "content-length": String(Buffer.byteLength(body)),
    ...headers,
    connection: "close",
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusLine}\r\n${lines.join("")}\r\n${body}`
}
