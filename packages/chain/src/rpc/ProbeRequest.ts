import type { RpcRequest } from "./Endpoint.ts"

/** A request that this service makes for itself, recognised by its id. */
export const probeRequest = (method: string, params: ReadonlyArray<unknown>): RpcRequest => {
  const id = `probe-${method}`
  return { method, id, params, body: JSON.stringify({ jsonrpc: "2.0", id, method, params }) }
}

/** Identifies the chain of a node. */
export const GENESIS = probeRequest("getGenesisHash", [])
