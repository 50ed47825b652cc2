import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { type Address, isOffCurveAddress } from "@solana/kit"
import type { SeededRandom } from "../../../indexer/fixtures/SeededRandom.ts"

export const addressOf = (random: SeededRandom): string => encodeBase58(random.bytes(32))

/** Of a key that can sign. */
export const walletOf = (random: SeededRandom): string => {
  const address = addressOf(random)
  return isOffCurveAddress(address as Address) ? walletOf(random) : address
}

/** Unique letters and digits. */
export const wordOf = (random: SeededRandom): string => random.u64().toString(36)

/** An Idempotency-Key, long enough to encrypt with. */
export const keyOf = (random: SeededRandom): string => Buffer.from(random.bytes(16)).toString("hex")
