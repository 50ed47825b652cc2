import type { RpcRequest } from "./Endpoint.ts"

const PATTERN = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

/** A request of our own, known by its id. */
export const probeRequest = (method: string, params: ReadonlyArray<unknown>): RpcRequest => {
  const id = `probe-${method}`
  return { method, id, body: JSON.stringify({ jsonrpc: "2.0", id, method, params }) }
}

export const GENESIS = probeRequest("getGenesisHash", [])

/** The genesis hash in a JSON-RPC answer, if it is one. */
export const genesisHashOf = (answer: unknown): string | undefined => {
  const { result } = (answer ?? {}) as { readonly result?: unknown }
  return typeof result === "string" && PATTERN.test(result) ? result : undefined
}
