import type { Instruction } from "@solana/kit"

/** The wallet that claims, and its accounts for the two tokens. */
export interface ClaimAccounts {
  readonly wallet: string
  readonly baseAccount: string
  readonly quoteAccount: string
}

/** A position in the pool that a curve migrated to; amounts in smallest units, liquidity is Q64.64. */
export interface Position {
  readonly address: string
  readonly nftMint: string
  readonly unlockedLiquidity: bigint
  readonly vestedLiquidity: bigint
  readonly permanentLockedLiquidity: bigint
  readonly claimedA: bigint
  readonly claimedB: bigint
  /** What a claim gives now; `undefined` where the program fails. */
  readonly fees: { readonly a: bigint; readonly b: bigint } | undefined
  /** Claims the fees for the owner of its NFT, which signs. */
  readonly claim: (nftAccount: string, to: ClaimAccounts) => Instruction
}
