import { getCloseAccountInstruction, getCreateAssociatedTokenIdempotentInstruction } from "@solana-program/token"
import { type Address, createNoopSigner, type Instruction } from "@solana/kit"
import type { ClaimableFee } from "./ClaimableFees.ts"
import { type ClaimAccounts, claimInstruction, needsBaseAccount } from "./ClaimInstructions.ts"
import { contendedAccounts } from "./ContendedAccounts.ts"
import type { CurveSnapshot, PoolFacts } from "./CurveSnapshot.ts"
import { associatedTokenAddress } from "./DerivedAddresses.ts"
import { NATIVE_MINT } from "./Programs.ts"
import { sidesOf } from "./Swap.ts"
import { shapeOf, TRANSACTION_BYTES_MAX, type TransactionPlan } from "./UnsignedTransaction.ts"

/** Measured: 38-59k a claim with its token accounts, 15-35k each further one; deriving an address can take more. */
const CLAIM_UNITS = 50_000
const ACCOUNT_UNITS = 40_000

/** The wallet's accounts for the two tokens of a pool. */
export const claimAccounts = async (facts: PoolFacts, wallet: string): Promise<ClaimAccounts> => {
  const { base, quote } = sidesOf(facts, { swapBaseForQuote: false })
  const [baseAccount, quoteAccount] = await Promise.all(
    [base, quote].map(({ mint, program }) => associatedTokenAddress(wallet, mint, program)),
  )
  return { wallet, baseAccount: baseAccount!, quoteAccount: quoteAccount! }
}

/** Fees that one transaction claims. */
export interface ClaimGroup {
  readonly fees: ReadonlyArray<ClaimableFee>
  readonly instructions: ReadonlyArray<Instruction>
  readonly needsBaseAccount: boolean
  readonly computeUnitLimit: number
}

/** Token accounts first, then the claims; wrapped SOL is unwrapped at the end. */
export const claimGroup = (curve: CurveSnapshot, fees: ReadonlyArray<ClaimableFee>, to: ClaimAccounts): ClaimGroup => {
  const owner = createNoopSigner(to.wallet as Address)
  const { base, quote } = sidesOf(curve, { swapBaseForQuote: false })
  const create = (ata: string, { mint, program }: typeof base) =>
    getCreateAssociatedTokenIdempotentInstruction({
      ...{ payer: owner, ata: ata as Address, owner: owner.address, mint: mint as Address, tokenProgram: program },
    })
  const isInBoth = fees.some(needsBaseAccount)
  const account = to.quoteAccount as Address
  return {
    fees,
    instructions: [
      ...(isInBoth ? [create(to.baseAccount, base)] : []),
      create(to.quoteAccount, quote),
      ...fees.map((fee) => claimInstruction(curve, fee, to)),
      ...(quote.mint === NATIVE_MINT
        ? [getCloseAccountInstruction({ account, destination: owner.address, owner })]
        : []),
    ],
    needsBaseAccount: isInBoth,
    computeUnitLimit: fees.length * CLAIM_UNITS + (isInBoth ? 2 : 1) * ACCOUNT_UNITS,
  }
}

/** Any price takes as many bytes. */
const planOf = ({ computeUnitLimit, instructions }: ClaimGroup, feePayer: string): TransactionPlan => ({
  ...{ feePayer, instructions, signers: [], computeUnitLimit, computeUnitPriceMicroLamports: 0n },
})

/** The claims, in their order, as the fewest transactions that fit. */
export const packClaims = (
  curve: CurveSnapshot,
  fees: ReadonlyArray<ClaimableFee>,
  to: ClaimAccounts,
): ReadonlyArray<ClaimGroup> => {
  const groups: Array<ClaimGroup> = []
  for (const fee of fees) {
    const last = groups.at(-1)
    const grown = claimGroup(curve, [...(last?.fees ?? []), fee], to)
    if (last !== undefined && shapeOf(planOf(grown, to.wallet)).bytes <= TRANSACTION_BYTES_MAX)
      groups[groups.length - 1] = grown
    else groups.push(claimGroup(curve, [fee], to))
  }
  return groups
}

/** What others write as well. */
export const contendedByClaims = (groups: ReadonlyArray<ClaimGroup>, to: ClaimAccounts): ReadonlyArray<string> =>
  contendedAccounts(
    groups.flatMap(({ instructions }) => instructions),
    [to.wallet, to.baseAccount, to.quoteAccount],
  )
