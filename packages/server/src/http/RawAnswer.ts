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

/** The same as it goes over the wire, for connections without a request. */
export const rawAnswer = (statusLine: string, { body, headers }: LastAnswer): string => {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${statusLine}\r\n${lines.join("")}\r\n${body}`
}
