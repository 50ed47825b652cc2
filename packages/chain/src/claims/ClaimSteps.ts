import type { Instruction } from "@solana/kit"
import type { FeeKind } from "@launch-registry/domain/pools/PoolFees"
import type { ClaimableFee } from "./ClaimableFees.ts"
import { claimInstruction, type ClaimTargets } from "./ClaimInstructions.ts"
import { type ExtraAccounts, isFreeAddress } from "../accounts/AccountReads.ts"
import type { RentOf } from "../accounts/Rent.ts"
import { type CostPart, creationRent } from "../build/LaunchCosts.ts"
import type { Paying } from "../build/LaunchStep.ts"
import type { Curve, PoolFacts } from "../dbc/CurveSnapshot.ts"
import { associatedTokenAddress } from "../accounts/DerivedAddresses.ts"
import { NATIVE_MINT } from "../accounts/Programs.ts"
import { createTokenAccount, unwrapSol } from "../build/TokenAccountInstructions.ts"
import type { TokenPair } from "../venues/TokenPair.ts"
import { fits, type TransactionPlan, type TransactionVersion } from "../build/UnsignedTransaction.ts"

/** Measured: 38-59k a claim with its token accounts, 15-35k each further one; deriving an address can take more. */
const CLAIM_UNITS = 50_000
const ACCOUNT_UNITS = 40_000

/** A token account that a claim goes to, by its name. */
export type ClaimAccountName = "baseAccount" | "quoteAccount" | "leftoverAccount"

const ACCOUNTS_OF: Readonly<Record<FeeKind, ReadonlyArray<ClaimAccountName>>> = {
  trading_fee: ["baseAccount", "quoteAccount"],
  surplus: ["quoteAccount"],
  migration_fee: ["quoteAccount"],
  pool_creation_fee: [],
  leftover: ["leftoverAccount"],
  position_fee: ["baseAccount", "quoteAccount"],
}

/** The token accounts that these claims go to, each once. */
export const accountsOf = (
  fees: ReadonlyArray<Pick<ClaimableFee, "kind">>,
  to: ClaimTargets,
): ReadonlyArray<ClaimAccountName> => {
  const names = new Set(fees.flatMap(({ kind }) => ACCOUNTS_OF[kind]))
  if (to.leftoverAccount === to.baseAccount && names.delete("leftoverAccount")) names.add("baseAccount")
  return (["baseAccount", "quoteAccount", "leftoverAccount"] as const).filter((name) => names.has(name))
}

/** The wallet's accounts for the two tokens of a pool, and that of its leftover. */
export const claimAccounts = async (
  { base, config, quote }: Pick<PoolFacts, "base" | "config" | "quote">,
  wallet: string,
): Promise<ClaimTargets> => {
  const [baseAccount, quoteAccount, leftoverAccount] = await Promise.all([
    associatedTokenAddress(wallet, base.mint, base.program),
    associatedTokenAddress(wallet, quote.mint, quote.program),
    associatedTokenAddress(config.leftoverReceiver, base.mint, base.program),
  ])
  return { wallet, baseAccount, quoteAccount, leftoverAccount }
}

/** Fees that one transaction claims. */
export interface ClaimGroup {
  readonly fees: ReadonlyArray<ClaimableFee>
  readonly instructions: ReadonlyArray<Instruction>
  readonly accounts: ReadonlyArray<ClaimAccountName>
  readonly computeUnitLimit: number
}

/** Token accounts first, then the claims; wrapped SOL is unwrapped at the end. */
export const claimGroup = (curve: Curve, fees: ReadonlyArray<ClaimableFee>, to: ClaimTargets): ClaimGroup => {
  const accounts = accountsOf(fees, to)
  const isUnwrapped = accounts.includes("quoteAccount") && curve.quote.mint === NATIVE_MINT
  return {
    fees,
    instructions: [
      ...accounts.map((name) =>
        createTokenAccount(
          to.wallet,
          to[name],
          name === "quoteAccount" ? curve.quote : curve.base,
          name === "leftoverAccount" ? curve.config.leftoverReceiver : to.wallet,
        ),
      ),
      ...fees.map((fee) => claimInstruction(curve, fee, to)),
      ...(isUnwrapped ? [unwrapSol(to.wallet, to.quoteAccount)] : []),
    ],
    accounts,
    computeUnitLimit: fees.length * CLAIM_UNITS + accounts.length * ACCOUNT_UNITS,
  }
}

/** The claims, in their order, as the fewest transactions that fit. */
export const packClaims = (
  curve: Curve,
  fees: ReadonlyArray<ClaimableFee>,
  to: ClaimTargets,
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
  to: ClaimTargets,
  accounts: ExtraAccounts<ClaimAccountName>,
  rent: RentOf,
) => {
  const isNative = quote.mint === NATIVE_MINT
  const touched = new Set<ClaimAccountName>()
  return groups.map(({ accounts: names }) => {
    const costs: Array<CostPart> = []
    let lent = 0n
    for (const name of names) {
      const isFirst = !touched.has(name)
      touched.add(name)
      const { program } = name === "quoteAccount" ? quote : base
      // The first transaction closes the account for wrapped SOL, with what was there.
      if (name === "quoteAccount" && isNative) lent = creationRent(rent, program, isFirst ? accounts[name] : undefined)
      else if (isFirst && isFreeAddress(accounts[name]))
        costs.push({
          item: "token_account_rent",
          account: to[name],
          lamports: creationRent(rent, program, accounts[name]),
        })
    }
    return { costs, lent }
  })
}
