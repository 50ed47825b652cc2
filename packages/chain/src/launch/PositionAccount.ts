import { AccountReader } from "./AccountReader.ts"
import type { DammPoolAccount } from "./DammPoolAccount.ts"

/** `Position` (cp-amm IDL 0.2.0). */
const DISCRIMINATORS = ["aabc8fe47a40f7d0"]
const LENGTH_BYTES = 408

const U64_MAX = 2n ** 64n - 1n
/** Liquidity and what a unit of it has earned are scaled by this together. */
const LIQUIDITY_BITS = 128n

/** A position in a DAMM v2 pool as its account holds it. Amounts in smallest units; liquidity is Q64.64. */
export interface PositionAccount {
  readonly pool: string
  readonly nftMint: string
  /** What a unit of liquidity of the pool had earned when the pending fees were last counted, times 2^128. */
  readonly feeACheckpoint: bigint
  readonly feeBCheckpoint: bigint
  readonly feeAPending: bigint
  readonly feeBPending: bigint
  readonly unlockedLiquidity: bigint
  readonly vestedLiquidity: bigint
  readonly permanentLockedLiquidity: bigint
  readonly claimedA: bigint
  readonly claimedB: bigint
}

/** The position in `bytes`, or `undefined` when they are no position account. */
export const decodePosition = (bytes: Uint8Array): PositionAccount | undefined => {
  const account = new AccountReader(bytes)
  if (!account.is(LENGTH_BYTES, DISCRIMINATORS)) return undefined
  return {
    pool: account.address(8),
    nftMint: account.address(40),
    feeACheckpoint: account.u256(72),
    feeBCheckpoint: account.u256(104),
    feeAPending: account.u64(136),
    feeBPending: account.u64(144),
    unlockedLiquidity: account.u128(152),
    vestedLiquidity: account.u128(168),
    permanentLockedLiquidity: account.u128(184),
    claimedA: account.u64(200),
    claimedB: account.u64(208),
  }
}

/** Fees of tokens A and B, in smallest units. */
export interface PositionFees {
  readonly a: bigint
  readonly b: bigint
}

/**
 * What a claim gives now: the pending fees, and what the liquidity has earned since they were counted (`update_fee` of
 * `state/position.rs`). `undefined` where the program fails too: a sum beyond 64 bits.
 */
export const unclaimedFees = (
  position: PositionAccount,
  { feeAPerLiquidity, feeBPerLiquidity }: Pick<DammPoolAccount, "feeAPerLiquidity" | "feeBPerLiquidity">,
): PositionFees | undefined => {
  const { feeACheckpoint, feeAPending, feeBCheckpoint, feeBPending } = position
  const liquidity = position.unlockedLiquidity + position.vestedLiquidity + position.permanentLockedLiquidity
  const since = (growth: bigint) => (liquidity * growth) >> LIQUIDITY_BITS
  const [growthA, growthB] = [feeAPerLiquidity - feeACheckpoint, feeBPerLiquidity - feeBCheckpoint]
  if (liquidity > 0n && (growthA < 0n || growthB < 0n)) return undefined
  const a = feeAPending + since(growthA)
  const b = feeBPending + since(growthB)
  return a > U64_MAX || b > U64_MAX ? undefined : { a, b }
}
