import type { RpcRequest } from "./Endpoint.ts"

/** A request of our own, known by its id. */
export const probeRequest = (method: string, params: ReadonlyArray<unknown>): RpcRequest => {
  const id = `probe-${method}`
  return { method, id, params, body: JSON.stringify({ jsonrpc: "2.0", id, method, params }) }
}

/** Tells which chain a node is of. */
export const GENESIS = probeRequest("getGenesisHash", [])
