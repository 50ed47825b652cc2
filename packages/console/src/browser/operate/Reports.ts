/** What the screen reads of the service, as the API answers it. */

export interface Part {
  readonly status: "up" | "degraded" | "down" | "off" | "unknown"
  readonly detail: string
}

export const PARTS = ["database", "rpc", "indexer", "ipfs", "bridge"] as const
export type PartName = (typeof PARTS)[number]

export type Health = { readonly [Name in PartName]: Part } & {
  readonly status: "ok" | "degraded"
  readonly version: string
  readonly network: string
  readonly uptimeSeconds: number
}

export interface Readiness {
  readonly ready: true
  readonly warnings: ReadonlyArray<string>
}

export interface SlotRange {
  readonly fromSlot: string
  readonly toSlot: string
}

export interface IndexerReport {
  readonly leader: { readonly holder: string; readonly expiresAt: string } | null
  readonly slot: string | null
  readonly inbox: { readonly pendingSegments: number }
  readonly finalizedSlot: string | null
  readonly watermarkSlot: string | null
  readonly coverage: ReadonlyArray<SlotRange>
  readonly gaps: ReadonlyArray<SlotRange>
  readonly poison: number
  readonly deadLetters: number
  readonly dropped: number
  readonly webhook: Readonly<Record<string, unknown>> | null
  readonly replay: Readonly<Record<string, unknown>> | null
  readonly pools?: Readonly<Record<string, unknown>>
  readonly reportedAt: string | null
}

export interface RpcEndpoint {
  readonly name: string
  readonly state: string
  readonly cordon?: { readonly reason: string; readonly since: string }
  readonly slot: string | null
  readonly slotLag: number | null
  readonly latencyMillis: { readonly p50: number | null; readonly p95: number | null; readonly p99: number | null }
  readonly calls: number
  readonly errors: Readonly<Record<string, number>>
  readonly timesOutOfUse: number
  readonly lastFault: { readonly fault: string; readonly method: string; readonly atMillis: number } | null
}

export interface RpcReport {
  readonly switches: number
  readonly endpoints: ReadonlyArray<RpcEndpoint>
}

/** Slots that are final and not proven complete; null while either is not known. */
export const unprovenSlots = ({ finalizedSlot, watermarkSlot }: IndexerReport): bigint | null =>
  finalizedSlot === null || watermarkSlot === null ? null : BigInt(finalizedSlot) - BigInt(watermarkSlot)
