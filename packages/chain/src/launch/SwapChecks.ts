import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { SwapProblem } from "@launch-registry/domain/launch/Pool"
import { AccountReader } from "./AccountReader.ts"
import type { RawAccount } from "./AccountReads.ts"
import { wholeTokens } from "./CurveMath.ts"
import { associatedTokenAddress } from "./DerivedAddresses.ts"
import type { LocatedCurve, PoolFacts } from "./Pools.ts"
import { NATIVE_MINT, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "./Programs.ts"
import { feeMintOf } from "./SwapQuoting.ts"
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

/** Who swaps what, as far as it can be checked before the transaction exists. */
export interface SwapSide {
  readonly signer: string
  readonly amountIn: bigint
  readonly swapBaseForQuote: boolean
  readonly referralTokenAccount?: string
}

const tokenProgram = (flag: number) => (flag === 1 ? TOKEN_2022_PROGRAM : TOKEN_PROGRAM)

/** Mint and token program of both tokens, and which of them is sent and which received. */
export const sidesOf = ({ baseMint, config }: PoolFacts, swapBaseForQuote: boolean) => {
  const base = { mint: baseMint, program: tokenProgram(config.tokenType) }
  const quote = { mint: config.quoteMint, program: tokenProgram(config.quoteTokenFlag) }
  return { base, quote, input: swapBaseForQuote ? base : quote, output: swapBaseForQuote ? quote : base }
}

/** What is read beside the pool: the wallet, its two token accounts, the referral account. */
export const accountsToCheck = async (facts: PoolFacts, side: SwapSide): Promise<ReadonlyArray<string>> => {
  const { input, output } = sidesOf(facts, side.swapBaseForQuote)
  const tokens = await Promise.all(
    [input, output].map(({ mint, program }) => associatedTokenAddress(side.signer, mint, program)),
  )
  return [side.signer, ...tokens, ...(side.referralTokenAccount === undefined ? [] : [side.referralTokenAccount])]
}

/** The program pays the referral in the token of the fee, so the account must be one of that token. */
export const referralIssues = (curve: LocatedCurve, side: SwapSide): ReadonlyArray<InvalidIssue> => {
  if (side.referralTokenAccount === undefined) return []
  const referral = curve.beside[3]
  const feeMint = feeMintOf(curve, side.swapBaseForQuote)
  const program = tokenProgram(
    feeMint === curve.config.quoteMint ? curve.config.quoteTokenFlag : curve.config.tokenType,
  )
  const isRight = referral?.owner === program && tokenAccount(referral)?.mint === feeMint
  if (isRight) return []
  const message = `expected an existing token account of ${feeMint}, the token this swap's fee is taken in`
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
  curve: LocatedCurve,
  side: SwapSide,
  budget: { readonly computeUnitLimit: number; readonly computeUnitPriceMicroLamports: bigint },
): ReadonlyArray<SwapProblem> => {
  const [wallet, inputAccount, outputAccount] = curve.beside
  const { input, output } = sidesOf(
    { pool: curve.address, config: curve.config, baseMint: curve.pool.baseMint },
    side.swapBaseForQuote,
  )
  const problems: Array<SwapProblem> = []
  const held = inputAccount === undefined ? undefined : tokenAccount(inputAccount)
  const isNativeInput = input.mint === NATIVE_MINT
  if (!isNativeInput && (held?.amount ?? 0n) < side.amountIn) {
    const message = `the wallet holds ${held?.amount ?? 0n} of ${input.mint} in its token account, the swap sends ${side.amountIn}`
    problems.push({ code: "insufficient_tokens", message })
  }
  for (const account of [inputAccount, outputAccount]) {
    if (account !== undefined && tokenAccount(account)?.isFrozen === true)
      problems.push({ code: "account_frozen", message: "a token account of the wallet is frozen" })
  }
  const rents = [
    ...(inputAccount === undefined ? [rentOfTokenAccount(input.program)] : []),
    ...(outputAccount === undefined ? [rentOfTokenAccount(output.program)] : []),
  ].reduce((sum, rent) => sum + rent, 0n)
  const price = (BigInt(budget.computeUnitLimit) * budget.computeUnitPriceMicroLamports + MICRO - 1n) / MICRO
  const fees = LAMPORTS_PER_SIGNATURE + price
  const upfront = rents + (isNativeInput ? side.amountIn : 0n)
  const needed = fees + upfront
  const lamports = wallet?.lamports ?? 0n
  // The wrapped SOL account is closed again, with all that is in it.
  const wrapped = isNativeInput ? inputAccount : outputAccount
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
  if (curve.currentPoint < curve.pool.activationPoint)
    problems.push({ code: "not_active_yet", message: `the pool opens at ${curve.pool.activationPoint}` })
  return problems
}

const rentOfTokenAccount = (program: string): bigint =>
  rentOf(program === TOKEN_2022_PROGRAM ? TOKEN_2022_ACCOUNT_BYTES : TOKEN_ACCOUNT_BYTES)
