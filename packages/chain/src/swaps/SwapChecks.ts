import { amountText, solText } from "@launch-registry/domain/amounts/AmountText"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { SwapProblem, SwapQuote } from "@launch-registry/domain/pools/Pool"
import { type ExtraAccounts, isFreeAddress, type RawAccount } from "../accounts/AccountReads.ts"
import { associatedTokenAddress } from "../accounts/DerivedAddresses.ts"
import type { CurveSnapshot, PoolFacts } from "../dbc/CurveSnapshot.ts"
import { checkFunds } from "../build/FundsCheck.ts"
import { creationRent } from "../build/LaunchCosts.ts"
import { NATIVE_MINT } from "../accounts/Programs.ts"
import { type RentOf, SYSVAR_RENT } from "../accounts/Rent.ts"
import { sidesOf, type WalletSwap } from "../venues/TokenPair.ts"
import { tokenAccountFault } from "../accounts/TokenAccountChecks.ts"
import { tokenAccountOf } from "../accounts/TokenLayouts.ts"
import { type ExtendableMint, extendableMints, transferFault } from "../venues/TransferExtensions.ts"
import { LAMPORTS_PER_SIGNATURE, priorityFeeLamports, type TransactionPlan } from "../build/UnsignedTransaction.ts"

/** Accounts that a swap is checked against, read with the pool: of the wallet, of the referral if there is one, and mints that have extensions. */
export type CheckedAccount = "wallet" | "rent" | "input" | "output" | "referral" | ExtendableMint

/** Addresses of the accounts that {@link swapProblems} and {@link referralIssues} check. */
export const accountsToCheck = async (
  facts: PoolFacts,
  swap: WalletSwap,
): Promise<Readonly<Record<CheckedAccount, string | undefined>>> => {
  const sides = sidesOf(facts, swap)
  const [input, output] = await Promise.all(
    [sides.input, sides.output].map(({ mint, program }) => associatedTokenAddress(swap.signer, mint, program)),
  )
  const { referralTokenAccount: referral, signer: wallet } = swap
  return { wallet, rent: SYSVAR_RENT, input, output, referral, ...extendableMints(facts) }
}

/** The program pays the referral in the token of the fee, so the account must be one that takes it. */
export const referralIssues = (
  curve: CurveSnapshot,
  swap: WalletSwap,
  referral: RawAccount | undefined,
): ReadonlyArray<InvalidIssue> => {
  if (swap.referralTokenAccount === undefined) return []
  const path = "body.referralTokenAccount"
  const { mint, program } = curve.venue.feeToken(swap)
  if (isFreeAddress(referral))
    return [{ path, message: `expected an existing token account of ${mint}, the token this swap's fee is taken in` }]
  const fault = tokenAccountFault(referral, { mint, program, receives: true })
  const message = `expected a token account that takes the fee of this swap: ${fault?.message}`
  return fault === undefined ? [] : [{ path, message }]
}

/**
 * Why the swap would fail, as of the slot the pool was read at; empty when nothing is known: what the wallet lacks, and what of the
 * state of its accounts and of the mints hinders an instruction. Prices of the network: rent for token accounts that do not exist
 * yet, the signature, the compute units.
 */
export const swapProblems = (
  curve: CurveSnapshot,
  swap: WalletSwap,
  {
    accounts,
    plan,
    quoted,
    rent,
  }: {
    readonly accounts: ExtraAccounts<CheckedAccount>
    readonly plan: TransactionPlan
    readonly quoted: SwapQuote
    readonly rent: RentOf
  },
): ReadonlyArray<SwapProblem> => {
  const { input, output } = sidesOf(curve, swap)
  const problems: Array<SwapProblem> = []
  const isNativeInput = input.mint === NATIVE_MINT
  const isNativeOutput = output.mint === NATIVE_MINT
  const owner = swap.signer
  const held = accounts.input && tokenAccountOf(accounts.input)
  if (!isNativeInput && (held?.amount ?? 0n) < swap.amountIn) {
    const message = `the wallet holds ${amountText(held?.amount ?? 0n, input)} in its token account, the swap sends ${amountText(swap.amountIn, input)}`
    problems.push({ code: "insufficient_tokens", message })
  }
  const faults = [
    tokenAccountFault(accounts.input, {
      ...{ ...input, owner, sends: true, closes: isNativeInput },
    }),
    tokenAccountFault(accounts.output, { ...output, owner, receives: true, closes: isNativeOutput }),
    transferFault(accounts.baseMint, swap.swapBaseForQuote ? accounts.input : accounts.output),
    transferFault(accounts.quoteMint, swap.swapBaseForQuote ? accounts.output : accounts.input),
  ]
  problems.push(...faults.flatMap((fault) => fault ?? []))
  if (!isFreeAddress(accounts.wallet))
    problems.push({ code: "account_unusable", message: "the signer is an account of a program, which cannot pay" })

  const rents = creationRent(rent, input.program, accounts.input) + creationRent(rent, output.program, accounts.output)
  const fees = LAMPORTS_PER_SIGNATURE + priorityFeeLamports(plan)
  const upfront = rents + (isNativeInput ? swap.amountIn : 0n)
  const lamports = accounts.wallet?.lamports ?? 0n
  // The wrapped SOL account is closed again, with all that is in it.
  const closedWith = (account: RawAccount | undefined, { program }: typeof input) =>
    creationRent(rent, program, account) + (account?.lamports ?? 0n)
  const lent = isNativeInput
    ? closedWith(accounts.input, input)
    : isNativeOutput
      ? closedWith(accounts.output, output) + BigInt(quoted.expectedAmountOut)
      : 0n
  if (!checkFunds(lamports, [{ fees, spent: upfront - lent, lent }], rent(0)).sufficient) {
    const [has, needs, alive] = [lamports, fees + upfront, rent(0)].map(solText)
    problems.push({
      code: "insufficient_sol",
      message: `the wallet has ${has}; amount, new token accounts and fees take ${needs}, and what is left must be nothing or ${alive}`,
    })
  }
  if (swap.slippageBps >= 10_000)
    problems.push({
      code: "no_minimum",
      message:
        "a slippage of 100 % takes whatever the swap gives: another one that is sent before it can leave nothing",
    })
  const { activationPoint, currentPoint } = curve.venue
  if (currentPoint < activationPoint)
    problems.push({ code: "not_active_yet", message: `the pool opens at ${activationPoint}` })
  return problems
}
