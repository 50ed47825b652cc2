import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { SwapProblem } from "@launch-registry/domain/launch/Pool"
import { AccountReader } from "./AccountReader.ts"
import type { ExtraAccounts, RawAccount } from "./AccountReads.ts"
import { wholeTokens } from "./CurveMath.ts"
import { associatedTokenAddress } from "./DerivedAddresses.ts"
import type { CurveSnapshot, PoolFacts } from "./CurveSnapshot.ts"
import { NATIVE_MINT, TOKEN_2022_PROGRAM } from "./Programs.ts"
import { feeTokenOf, sidesOf, type WalletSwap } from "./Swap.ts"
import { TOKEN_ACCOUNT_BYTES } from "./TokenLayouts.ts"

/** Lamports per byte and year, two years, and 128 bytes of every account (Rent sysvar, unchanged since genesis). */
const rentOf = (bytes: number): bigint => BigInt(128 + bytes) * 6_960n
/** With the extension that associated accounts of Token-2022 always have. */
const TOKEN_2022_ACCOUNT_BYTES = 170
const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO = 1_000_000n
const LAMPORT_DECIMALS = 9
/** `mint`, `amount` and `state` of a token account. */
const MINT_OFFSET = 0
const AMOUNT_OFFSET = 64
const STATE_OFFSET = 108
const STATE_FROZEN = 2

/** Accounts of the wallet that a swap is checked against, read with the pool; the referral account is optional. */
export type CheckedAccount = "wallet" | "input" | "output" | "referral"

/** Addresses of the accounts that {@link swapProblems} and {@link referralIssues} check. */
export const accountsToCheck = async (
  facts: PoolFacts,
  swap: WalletSwap,
): Promise<Readonly<Record<CheckedAccount, string | undefined>>> => {
  const sides = sidesOf(facts, swap)
  const [input, output] = await Promise.all(
    [sides.input, sides.output].map(({ mint, program }) => associatedTokenAddress(swap.signer, mint, program)),
  )
  return { wallet: swap.signer, input, output, referral: swap.referralTokenAccount }
}

/** The program pays the referral in the token of the fee, so the account must be one of that token. */
export const referralIssues = (
  curve: CurveSnapshot,
  swap: WalletSwap,
  referral: RawAccount | undefined,
): ReadonlyArray<InvalidIssue> => {
  if (swap.referralTokenAccount === undefined) return []
  const fee = feeTokenOf(curve, swap)
  if (referral?.owner === fee.program && tokenAccount(referral)?.mint === fee.mint) return []
  const message = `expected an existing token account of ${fee.mint}, the token this swap's fee is taken in`
  return [{ path: "body.referralTokenAccount", message }]
}

const tokenAccount = ({ data }: RawAccount) => {
  if (data.length < TOKEN_ACCOUNT_BYTES) return undefined
  const account = new AccountReader(data)
  return {
    mint: account.address(MINT_OFFSET),
    amount: account.u64(AMOUNT_OFFSET),
    isFrozen: account.u8(STATE_OFFSET) === STATE_FROZEN,
  }
}

/**
 * What the wallet lacks for the swap to land, as of the slot the pool was read at; empty when nothing is known. Prices of
 * the network: rent for token accounts that do not exist yet, the signature, the compute units.
 */
export const swapProblems = (
  curve: CurveSnapshot,
  swap: WalletSwap,
  accounts: ExtraAccounts<CheckedAccount>,
  budget: { readonly computeUnitLimit: number; readonly computeUnitPriceMicroLamports: bigint },
): ReadonlyArray<SwapProblem> => {
  const { input, output } = sidesOf(curve, swap)
  const problems: Array<SwapProblem> = []
  const held = accounts.input === undefined ? undefined : tokenAccount(accounts.input)
  const isNativeInput = input.mint === NATIVE_MINT
  if (!isNativeInput && (held?.amount ?? 0n) < swap.amountIn) {
    const message = `the wallet holds ${held?.amount ?? 0n} of ${input.mint} in its token account, the swap sends ${swap.amountIn}`
    problems.push({ code: "insufficient_tokens", message })
  }
  for (const account of [accounts.input, accounts.output]) {
    if (account !== undefined && tokenAccount(account)?.isFrozen === true)
      problems.push({ code: "account_frozen", message: "a token account of the wallet is frozen" })
  }
  const rents = [
    ...(accounts.input === undefined ? [rentOfTokenAccount(input.program)] : []),
    ...(accounts.output === undefined ? [rentOfTokenAccount(output.program)] : []),
  ].reduce((sum, rent) => sum + rent, 0n)
  const price = (BigInt(budget.computeUnitLimit) * budget.computeUnitPriceMicroLamports + MICRO - 1n) / MICRO
  const fees = LAMPORTS_PER_SIGNATURE + price
  const upfront = rents + (isNativeInput ? swap.amountIn : 0n)
  const needed = fees + upfront
  const lamports = accounts.wallet?.lamports ?? 0n
  // The wrapped SOL account is closed again, with all that is in it.
  const wrapped = isNativeInput ? accounts.input : accounts.output
  const hasWrapped = isNativeInput || output.mint === NATIVE_MINT
  const closed = hasWrapped ? (wrapped?.lamports ?? rentOf(TOKEN_ACCOUNT_BYTES)) : 0n
  // A wallet may be emptied, but never left with less than keeps it alive: not after the fees, and not in the end.
  const isAlive = (left: bigint) => left === 0n || left >= rentOf(0)
  if (lamports < needed || !isAlive(lamports - fees) || !isAlive(lamports - needed + closed)) {
    const [has, needs] = [lamports, needed].map((amount) => wholeTokens(amount, LAMPORT_DECIMALS))
    problems.push({
      code: "insufficient_sol",
      message: `the wallet has ${has} SOL; amount, new token accounts and fees take ${needs} SOL, and what is left must be nothing or ${wholeTokens(rentOf(0), LAMPORT_DECIMALS)} SOL`,
    })
  }
  const { currentPoint } = curve.migrated ?? curve.migratedV1 ?? curve
  const { activationPoint } = curve.migrated?.pool ?? curve.migratedV1?.state.pool ?? curve.pool
  if (currentPoint < activationPoint)
    problems.push({ code: "not_active_yet", message: `the pool opens at ${activationPoint}` })
  return problems
}

const rentOfTokenAccount = (program: string): bigint =>
  rentOf(program === TOKEN_2022_PROGRAM ? TOKEN_2022_ACCOUNT_BYTES : TOKEN_ACCOUNT_BYTES)
