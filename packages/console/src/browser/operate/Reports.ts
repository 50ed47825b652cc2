import type { Health, IndexerReport, RpcEndpointReport, RpcReport } from "@launch-registry/client"

/** What the screen reads of the service: the types of the API. */
export type { Health, IndexerReport, RpcReport }
export type RpcEndpoint = RpcEndpointReport

export const PARTS = ["database", "rpc", "indexer", "ipfs", "bridge"] as const
export type PartName = (typeof PARTS)[number]

/** Slots that are final and not proven complete; null while either is not known. */
export const unprovenSlots = ({ finalizedSlot, watermarkSlot }: IndexerReport): bigint | null =>
  finalizedSlot === null || watermarkSlot === null ? null : BigInt(finalizedSlot) - BigInt(watermarkSlot)
