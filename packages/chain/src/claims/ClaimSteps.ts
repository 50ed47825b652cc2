import type { Instruction } from "@solana/kit"
import type { ClaimableFee } from "./ClaimableFees.ts"
import { claimInstruction, needsBaseAccount } from "./ClaimInstructions.ts"
import { type ExtraAccounts, isFreeAddress } from "../accounts/AccountReads.ts"
import type { RentOf } from "../accounts/Rent.ts"
import { type CostPart, creationRent } from "../build/LaunchCosts.ts"
import type { Paying } from "../build/LaunchStep.ts"
import type { Curve } from "../dbc/CurveSnapshot.ts"
import { associatedTokenAddress } from "../accounts/DerivedAddresses.ts"
import type { ClaimAccounts } from "../venues/Position.ts"
import { NATIVE_MINT } from "../accounts/Programs.ts"
import { createTokenAccount, unwrapSol } from "../build/TokenAccountInstructions.ts"
import type { TokenPair } from "../venues/TokenPair.ts"
import { fits, type TransactionPlan, type TransactionVersion } from "../build/UnsignedTransaction.ts"

/** Measured: 38-59k a claim with its token accounts, 15-35k each further one; deriving an address can take more. */
const CLAIM_UNITS = 50_000
const ACCOUNT_UNITS = 40_000

/** The wallet's accounts for the two tokens of a pool. */
export const claimAccounts = async ({ base, quote }: TokenPair, wallet: string): Promise<ClaimAccounts> => {
  const [baseAccount, quoteAccount] = await Promise.all([
    associatedTokenAddress(wallet, base.mint, base.program),
    associatedTokenAddress(wallet, quote.mint, quote.program),
  ])
  return { wallet, baseAccount, quoteAccount }
}

/** Fees that one transaction claims. */
export interface ClaimGroup {
  readonly fees: ReadonlyArray<ClaimableFee>
  readonly instructions: ReadonlyArray<Instruction>
  readonly needsBaseAccount: boolean
  readonly computeUnitLimit: number
}

/** Token accounts first, then the claims; wrapped SOL is unwrapped at the end. */
export const claimGroup = (curve: Curve, fees: ReadonlyArray<ClaimableFee>, to: ClaimAccounts): ClaimGroup => {
  const isInBoth = fees.some(needsBaseAccount)
  return {
    fees,
    instructions: [
      ...(isInBoth ? [createTokenAccount(to.wallet, to.baseAccount, curve.base)] : []),
      createTokenAccount(to.wallet, to.quoteAccount, curve.quote),
      ...fees.map((fee) => claimInstruction(curve, fee, to)),
      ...(curve.quote.mint === NATIVE_MINT ? [unwrapSol(to.wallet, to.quoteAccount)] : []),
    ],
    needsBaseAccount: isInBoth,
    computeUnitLimit: fees.length * CLAIM_UNITS + (isInBoth ? 2 : 1) * ACCOUNT_UNITS,
  }
}

/** The claims, in their order, as the fewest transactions that fit. */
export const packClaims = (
  curve: Curve,
  fees: ReadonlyArray<ClaimableFee>,
  to: ClaimAccounts,
  version: TransactionVersion | undefined,
): ReadonlyArray<ClaimGroup> => {
  const groups: Array<ClaimGroup> = []
  for (const fee of fees) {
    const last = groups.at(-1)
    const grown = claimGroup(curve, [...(last?.fees ?? []), fee], to)
    // Any price takes as many bytes.
    if (last !== undefined && fits(planOf(grown, { feePayer: to.wallet, priceOf: () => 0n, version })))
      groups[groups.length - 1] = grown
    else groups.push(claimGroup(curve, [fee], to))
  }
  return groups
}

export const planOf = (
  { computeUnitLimit, instructions }: ClaimGroup,
  { feePayer, priceOf, version }: Paying,
): TransactionPlan => ({
  ...{ feePayer, instructions, signers: [], computeUnitLimit, version },
  computeUnitPriceMicroLamports: priceOf(computeUnitLimit),
})

/**
 * What each group takes from the wallet besides fees of the network. What the claims give does not count: fees are taken first, and token
 * accounts are created before.
 */
export const claimCosts = (
  { base, quote }: TokenPair,
  groups: ReadonlyArray<ClaimGroup>,
  to: ClaimAccounts,
  accounts: ExtraAccounts<"baseAccount" | "quoteAccount">,
  rent: RentOf,
) => {
  const isNative = quote.mint === NATIVE_MINT
  const created = new Set<string>()
  const create = (name: "baseAccount" | "quoteAccount", { program }: TokenPair["base"]): ReadonlyArray<CostPart> => {
    if (created.has(name) || !isFreeAddress(accounts[name])) return []
    created.add(name)
    return [{ item: "token_account_rent", account: to[name], lamports: creationRent(rent, program, accounts[name]) }]
  }
  return groups.map(({ needsBaseAccount: needs }, index) => ({
    costs: [...(needs ? create("baseAccount", base) : []), ...(isNative ? [] : create("quoteAccount", quote))],
    // The first transaction closes the account for wrapped SOL, with what was there.
    lent: isNative ? creationRent(rent, quote.program, index === 0 ? accounts.quoteAccount : undefined) : 0n,
  }))
}
