import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import { AccountReader } from "./AccountReader.ts"
import type { RawAccount } from "./AccountReads.ts"

export const SYSVAR_RENT = "SysvarRent111111111111111111111111111111111"

/** Lamports that keep an account with so many bytes of data alive. */
export type RentOf = (bytes: number) => bigint

/** Bytes that every account counts besides its data. */
const OVERHEAD_BYTES = 128
const RENT_BYTES = 17
/** A thousand times what it was before it began to fall in 2026: beyond, a node is mistaken. */
const LAMPORTS_PER_BYTE_MAX = 6_960_000n
const THRESHOLD_SCALE = 1_000

/**
 * The Rent sysvar, on every chain: a price (u64) @0, and the threshold that it is multiplied with (f64) @8. Of lamports a byte and year it
 * is 2 years, since SIMD-0194 1 of lamports a byte. It changes with an epoch, so it is read with what is checked by it, and never kept.
 */
export const rentOf = (sysvar: RawAccount | undefined): Effect.Effect<RentOf, Unavailable> => {
  if (sysvar?.data.length !== RENT_BYTES) return Effect.fail(new Unavailable({ service: "chain" }))
  const threshold = new DataView(sysvar.data.buffer, sysvar.data.byteOffset).getFloat64(8, true)
  const scaled = Math.round(threshold * THRESHOLD_SCALE)
  if (!Number.isSafeInteger(scaled) || scaled < 0) return Effect.fail(new Unavailable({ service: "chain" }))
  const perByte = new AccountReader(sysvar.data).u64(0) * BigInt(scaled)
  const scale = BigInt(THRESHOLD_SCALE)
  return perByte > LAMPORTS_PER_BYTE_MAX * scale
    ? Effect.fail(new Unavailable({ service: "chain" }))
    : Effect.succeed((bytes) => (BigInt(OVERHEAD_BYTES + bytes) * perByte) / scale)
}
