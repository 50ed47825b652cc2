import { AccountReader } from "../accounts/AccountReader.ts"
import type { RawAccount } from "../accounts/AccountReads.ts"
import { dammClaimInstruction } from "./DammInstructions.ts"
import type { DammPoolAccount, DammV2Pool } from "./DammPoolAccount.ts"
import { innerVestingAt, vestingAtPoint } from "./InnerVesting.ts"
import type { Position } from "../venues/Position.ts"
import { DAMM_V2_PROGRAM } from "../accounts/Programs.ts"

/** `Position` (cp-amm IDL 0.2.0). */
const DISCRIMINATORS = ["aabc8fe47a40f7d0"]
const LENGTH_BYTES = 408

const U64_MAX = 2n ** 64n - 1n
/** Liquidity and what a unit of it has earned are scaled by this together. */
const LIQUIDITY_BITS = 128n

/** The position in `bytes`, or `undefined` when they are no position account. */
export const decodePosition = (bytes: Uint8Array) => {
  const account = new AccountReader(bytes)
  if (!account.is(LENGTH_BYTES, DISCRIMINATORS)) return undefined
  return {
    pool: account.address(8),
    nftMint: account.address(40),
    /** What a unit of liquidity of the pool had earned when the pending fees were last counted, times 2^128. */
    feeACheckpoint: account.u256(72),
    feeBCheckpoint: account.u256(104),
    feeAPending: account.u64(136),
    feeBPending: account.u64(144),
    unlockedLiquidity: account.u128(152),
    vestedLiquidity: account.u128(168),
    permanentLockedLiquidity: account.u128(184),
    claimedA: account.u64(200),
    claimedB: account.u64(208),
    innerVesting: innerVestingAt(account, 312),
  }
}

/**
 * What a claim gives now: the pending fees, and what the liquidity has earned since they were counted (`update_fee` of
 * `state/position.rs`). `undefined` where the program fails too: a sum beyond 64 bits.
 */
export const unclaimedFees = (
  position: NonNullable<ReturnType<typeof decodePosition>>,
  { feeAPerLiquidity, feeBPerLiquidity }: Pick<DammPoolAccount, "feeAPerLiquidity" | "feeBPerLiquidity">,
): Position["fees"] => {
  const { feeACheckpoint, feeAPending, feeBCheckpoint, feeBPending } = position
  const liquidity = position.unlockedLiquidity + position.vestedLiquidity + position.permanentLockedLiquidity
  const since = (growth: bigint) => (liquidity * growth) >> LIQUIDITY_BITS
  const [growthA, growthB] = [feeAPerLiquidity - feeACheckpoint, feeBPerLiquidity - feeBCheckpoint]
  if (liquidity > 0n && (growthA < 0n || growthB < 0n)) return undefined
  const a = feeAPending + since(growthA)
  const b = feeBPending + since(growthB)
  return a > U64_MAX || b > U64_MAX ? undefined : { a, b }
}

/** The position of a pool in an account. */
export const dammPosition = (
  of: DammV2Pool,
  address: string,
  account: RawAccount | undefined,
): Position | undefined => {
  const decoded = account?.owner === DAMM_V2_PROGRAM ? decodePosition(account.data) : undefined
  if (decoded?.pool !== of.address) return undefined
  return {
    ...{ ...decoded, address, fees: unclaimedFees(decoded, of.pool) },
    ...vestingAtPoint(decoded.innerVesting, decoded.vestedLiquidity, of.currentPoint),
    claim: (nftAccount, to) => dammClaimInstruction(of, address, nftAccount, to),
  }
}
