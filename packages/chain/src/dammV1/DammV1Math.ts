import { type DammV1PoolAccount, type DynamicVaultAccount, unlockedAmount } from "./DammV1Accounts.ts"
import { squareRoot } from "../venues/SquareRoot.ts"

const U64_MAX = 2n ** 64n - 1n

/** One token of a DAMM v1 pool: the vault that holds it, and the pool's shares of the vault. */
export interface DammV1Side {
  readonly vault: DynamicVaultAccount
  /** Shares that the vault has issued. */
  readonly lpSupply: bigint
  readonly poolLp: bigint
  /** What lies in the vault and is not lent out. */
  readonly tokenReserve: bigint
}

/** A DAMM v1 pool with all that its swaps depend on. Token A is the base token, token B the quote token. */
export interface DammV1State {
  readonly pool: DammV1PoolAccount
  readonly a: DammV1Side
  readonly b: DammV1Side
  /** Shares of the pool. */
  readonly lpSupply: bigint
  /** Unix time in seconds: vaults release profit over time. */
  readonly timeSeconds: bigint
}

/** Outcome of an exact-in swap in a DAMM v1 pool, in smallest units. */
export interface DammV1Fill {
  readonly amountOut: bigint
  /** Of the liquidity providers, the protocol and the referrer together; in the input token. */
  readonly fee: bigint
  /** What the pool's shares are worth afterwards. */
  readonly next: DammV1Reserves
}

export interface DammV1Reserves {
  readonly a: bigint
  readonly b: bigint
}

/** Worth of shares, rounded down as everywhere in these programs. */
const amountByShare = (unlocked: bigint, share: bigint, supply: bigint): bigint | undefined =>
  supply === 0n ? undefined : (share * unlocked) / supply

/** Shares for an amount; the first ones are counted as the tokens. */
const sharesFor = (unlocked: bigint, amount: bigint, supply: bigint): bigint | undefined =>
  unlocked === 0n ? undefined : (amount * supply) / unlocked

const worthOf = ({ lpSupply, poolLp, vault }: DammV1Side, timeSeconds: bigint): bigint | undefined => {
  const unlocked = unlockedAmount(vault, timeSeconds)
  return unlocked === undefined ? undefined : amountByShare(unlocked, poolLp, lpSupply)
}

/** Tokens that the pool's shares are worth; `undefined` where the program fails. */
export const dammV1Reserves = ({ a, b, timeSeconds }: DammV1State): DammV1Reserves | undefined => {
  const [inA, inB] = [worthOf(a, timeSeconds), worthOf(b, timeSeconds)]
  return inA === undefined || inB === undefined ? undefined : { a: inA, b: inB }
}

/** A part of an amount, at least one. */
const feeOf = (amount: bigint, numerator: bigint, denominator: bigint): bigint | undefined => {
  if (numerator === 0n || amount === 0n) return 0n
  if (denominator === 0n) return undefined
  return (amount * numerator) / denominator || 1n
}

/** What a swap gives; `undefined` when the programs cannot fill it. */
export const dammV1Fill = (state: DammV1State, isBuy: boolean, amountIn: bigint): DammV1Fill | undefined => {
  const { pool, timeSeconds } = state
  const [from, to] = isBuy ? [state.b, state.a] : [state.a, state.b]
  const [before, available] = [worthOf(from, timeSeconds), worthOf(to, timeSeconds)]
  const fee = feeOf(amountIn, pool.tradeFeeNumerator, pool.tradeFeeDenominator)
  const protocolFee = fee === undefined ? undefined : feeOf(fee, pool.protocolFeeNumerator, pool.protocolFeeDenominator)
  if (before === undefined || available === undefined || fee === undefined || protocolFee === undefined)
    return undefined
  const deposited = deposit(from, amountIn - protocolFee, timeSeconds)
  if (deposited === undefined) return undefined
  // What reaches the pool is what its shares have gained: deposits are rounded down to whole shares.
  const sent = deposited - before - (fee - protocolFee)
  const wanted = sent < 0n ? undefined : constantProduct(sent, before, available)
  const withdrawn = wanted === undefined ? undefined : withdraw(to, wanted, timeSeconds)
  if (withdrawn === undefined || withdrawn.amount >= to.tokenReserve) return undefined
  const [a, b] = isBuy ? [withdrawn.left, deposited] : [deposited, withdrawn.left]
  return { amountOut: withdrawn.amount, fee, next: { a, b } }
}

/** What the pool's shares are worth once this was deposited. */
const deposit = ({ lpSupply, poolLp, vault }: DammV1Side, amount: bigint, timeSeconds: bigint): bigint | undefined => {
  const unlocked = unlockedAmount(vault, timeSeconds)
  if (unlocked === undefined || vault.totalAmount + amount > U64_MAX) return undefined
  const shares = sharesFor(unlocked, amount, lpSupply)
  return shares === undefined ? undefined : amountByShare(unlocked + amount, poolLp + shares, lpSupply + shares)
}

/** What shares for an amount give, and what the rest of the pool's shares is worth then. */
const withdraw = ({ lpSupply, poolLp, vault }: DammV1Side, wanted: bigint, timeSeconds: bigint) => {
  const unlocked = unlockedAmount(vault, timeSeconds)
  const shares = unlocked === undefined ? undefined : sharesFor(unlocked, wanted, lpSupply)
  const amount = shares === undefined ? undefined : amountByShare(unlocked!, shares, lpSupply)
  if (amount === undefined || shares! > poolLp) return undefined
  return { amount, left: amountByShare(unlocked! - amount, poolLp - shares!, lpSupply - shares!) ?? 0n }
}

/** `spl_token_swap`: the product of both reserves never falls; `undefined` for a swap that would give nothing, or nearly all there is. */
const constantProduct = (sent: bigint, from: bigint, to: bigint): bigint | undefined => {
  const [product, divisor] = [from * to, from + sent]
  // The program does not round a quotient below one.
  if (divisor === 0n || product < divisor) return undefined
  const out = to - (product + divisor - 1n) / divisor
  return out > 0n ? out : undefined
}

/** Square root of the price of the base token in the quote token, Q64.64; 0 for an empty pool. */
export const sqrtPriceOf = ({ a, b }: DammV1Reserves): bigint => (a === 0n ? 0n : squareRoot((b << 128n) / a))
