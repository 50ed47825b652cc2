import type { NotFound } from "@launch-registry/domain/http/NotFound"
import type { Unavailable } from "@launch-registry/domain/http/Unavailable"
import type { PoolFee, PoolFees } from "@launch-registry/domain/pools/PoolFees"
import type { Address } from "@launch-registry/domain/solana/Address"
import { Effect } from "effect"
import type { ExtraAccounts, RawAccount } from "../accounts/AccountReads.ts"
import { type ClaimableFee, claimableFees } from "./ClaimableFees.ts"
import { type CurveSnapshot, graduatedPool, isComplete, type PoolFacts, venueOf } from "../dbc/CurveSnapshot.ts"
import { feePositions, positionAddresses } from "./FeePositions.ts"
import { vaultAddress } from "../accounts/DerivedAddresses.ts"
import { tokenAccountOf } from "../accounts/TokenLayouts.ts"
import type { Pools } from "../pools/Pools.ts"
import type { PositionDirectory } from "./PositionDirectory.ts"

/** What a pool earned, with the curve at the same slot. */
export interface FeesAtSlot<Name extends string> {
  readonly curve: CurveSnapshot
  readonly fees: ReadonlyArray<ClaimableFee>
  /** Whether the positions of a migration are among them; also before the migration, when there are none. */
  readonly arePositionsKnown: boolean
  readonly accounts: ExtraAccounts<Name>
}

/**
 * Reads what a pool earned, and more accounts, in one request for a mint that was seen before. NFTs of positions are also looked for in
 * the account of `wallet`.
 */
export const readFees = Effect.fn("readFees")(function* <Name extends string>(
  { directory, pools }: { readonly pools: Pools["Service"]; readonly directory: PositionDirectory["Service"] },
  baseMint: string,
  more: (facts: PoolFacts) => Promise<Readonly<Record<Name, string>>>,
  wallet?: string,
): Effect.fn.Return<FeesAtSlot<Name>, NotFound | Unavailable> {
  const nftMints = yield* directory.find(baseMint)
  const addresses = yield* Effect.promise(() => positionAddresses(nftMints ?? [], wallet))
  const ofPositions = addresses.flatMap(({ nftAccounts, position }) => [position, ...nftAccounts])
  // Named by their addresses, which no other name can be.
  const { accounts, curve } = yield* pools.getCurveWith<string>(baseMint, async (facts) => ({
    ...Object.fromEntries(ofPositions.map((address) => [address, address])),
    baseVault: await vaultAddress(baseMint, facts.address),
    ...(await more(facts)),
  }))
  const read = (address: string): RawAccount | undefined => accounts[address]
  const positions = feePositions(curve, addresses, read)
  const vault = read("baseVault")
  const vaultAmount = (vault && tokenAccountOf(vault)?.amount) ?? 0n
  return {
    curve,
    fees: claimableFees(curve, positions, vaultAmount),
    arePositionsKnown: !curve.pool.isMigrated || (nftMints !== undefined && curve.venue.position !== undefined),
    accounts,
  }
})

/** A share as it is answered. */
export const poolFee = ({ baseAmount, lamports, position, quoteAmount, ...fee }: ClaimableFee): PoolFee => ({
  ...{ kind: fee.kind, party: fee.party, owner: (fee.owner ?? null) as Address | null, state: fee.state },
  ...{ baseAmount: baseAmount.toString(), quoteAmount: quoteAmount.toString() },
  lamports: lamports.toString(),
  position:
    position === undefined
      ? null
      : {
          position: position.address as Address,
          nftMint: position.nftMint as Address,
          unlockedLiquidity: position.unlockedLiquidity.toString(),
          vestedLiquidity: position.vestedLiquidity.toString(),
          permanentLockedLiquidity: position.permanentLockedLiquidity.toString(),
          claimedBaseAmount: position.claimedA.toString(),
          claimedQuoteAmount: position.claimedB.toString(),
        },
})

export const poolFees = ({ arePositionsKnown, curve, fees }: FeesAtSlot<never>): PoolFees => ({
  mintAddress: curve.base.mint as Address,
  quoteMint: curve.quote.mint as Address,
  baseDecimals: curve.base.decimals,
  quoteDecimals: curve.quote.decimals,
  pool: curve.address as Address,
  graduatedPool: graduatedPool(curve),
  venue: venueOf(curve),
  creator: curve.pool.creator as Address,
  partner: curve.config.feeClaimer as Address,
  isComplete: isComplete(curve),
  arePositionsKnown,
  fees: fees.map(poolFee),
  slot: curve.slot.toString(),
})
