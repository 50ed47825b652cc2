import type { Health, IndexerReport, RpcEndpointReport, RpcReport } from "@launch-registry/client"

/** What the screen reads of the service: the types of the API. */
export type { Health, IndexerReport, RpcReport }
export type RpcEndpoint = RpcEndpointReport

export const PARTS = ["database", "rpc", "indexer", "ipfs", "bridge"] as const
export type PartName = (typeof PARTS)[number]

/** Slots that are final and not proven for the program; null while either is not known. */
export const unprovenSlots = ({ finalizedSlot, programWatermarkSlot }: IndexerReport): bigint | null =>
  finalizedSlot === null || programWatermarkSlot === null ? null : BigInt(finalizedSlot) - BigInt(programWatermarkSlot)
