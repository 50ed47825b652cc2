import type { Health, IndexerReport, RpcEndpointReport, RpcReport } from "@launch-registry/client"

/** What the screen reads of the service: the types of the API. */
export type { Health, IndexerReport, RpcReport }
export type RpcEndpoint = RpcEndpointReport

export const PARTS = ["database", "rpc", "indexer", "ipfs", "bridge"] as const
export type PartName = (typeof PARTS)[number]
