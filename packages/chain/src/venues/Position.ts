import type { Instruction } from "@solana/kit"

/** The wallet that claims, and its accounts for the two tokens. */
export interface ClaimAccounts {
  readonly wallet: string
  readonly baseAccount: string
  readonly quoteAccount: string
}

/** When the liquidity of a position that vests is released; points are slots or Unix time in seconds, as the pool counts. */
export interface PositionVesting {
  readonly cliffPoint: bigint
  readonly endPoint: bigint
  readonly cliffUnlockLiquidity: bigint
  readonly liquidityPerPeriod: bigint
  readonly periodFrequency: bigint
  readonly periods: bigint
}

/** A position in the pool that a curve migrated to; amounts in smallest units, liquidity is Q64.64. */
export interface Position {
  readonly address: string
  readonly nftMint: string
  readonly unlockedLiquidity: bigint
  readonly vestedLiquidity: bigint
  readonly permanentLockedLiquidity: bigint
  /** Of the vested liquidity what a withdrawal frees first; the account has it as vested until then. */
  readonly releasable: bigint
  /** Of the rest of it; `undefined` where nothing vests, or not all of it by the position itself. */
  readonly schedule: PositionVesting | undefined
  readonly claimedA: bigint
  readonly claimedB: bigint
  /** What a claim gives now; `undefined` where the program fails. */
  readonly fees: { readonly a: bigint; readonly b: bigint } | undefined
  /** Claims the fees for the owner of its NFT, which signs. */
  readonly claim: (nftAccount: string, to: ClaimAccounts) => Instruction
}
