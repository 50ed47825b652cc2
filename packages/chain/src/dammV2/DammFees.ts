import type { DammBaseFee, DammPoolAccount } from "./DammPoolAccount.ts"

/** Fee numerators are over this. */
export const FEE_DENOMINATOR = 1_000_000_000n
/** Numerators in a basis point. */
const NUMERATOR_PER_BPS = 100_000n
const BASIS_POINTS = 10_000n
const ONE_Q64 = 1n << 64n
/** Highest fee by `feeVersion`: 50 %, 99 %. */
const FEES_MAX = [500_000_000n, 990_000_000n] as const
/** Volatility and bin step are in hundredths of a percent each, squared: this brings them to numerators. */
const VARIABLE_FEE_SCALE = 100_000_000_000n

/** `numerator / denominator`, rounded up. */
export const dividedUp = (numerator: bigint, denominator: bigint): bigint =>
  (numerator + denominator - 1n) / denominator

const smaller = (left: bigint, right: bigint): bigint => (left < right ? left : right)

/** A swap as far as its fee depends on it. */
export interface FeeCase {
  readonly amountIn: bigint
  /** Whether token B is sent, which buys the base token. */
  readonly isBuy: boolean
  /** Slot or seconds, as the pool counts. */
  readonly currentPoint: bigint
}

/** Whether this service knows how the pool takes its fee. */
export const isFeeKnown = ({ baseFee, collectFeeMode, feeVersion }: DammPoolAccount): boolean =>
  baseFee.mode !== "unknown" && collectFeeMode <= 2 && FEES_MAX[feeVersion] !== undefined

/** Whether the fee of a buy depends on its size now. The program then inspects the other instructions of the transaction. */
export const isRateLimited = (baseFee: DammBaseFee, activationPoint: bigint, swap: FeeCase): boolean => {
  if (baseFee.mode !== 2 || !swap.isBuy || swap.currentPoint < activationPoint) return false
  return baseFee.referenceAmount > 0n && swap.currentPoint <= activationPoint + baseFee.maxLimiterDuration
}

/** Numerator of the base fee of a swap; `undefined` where the program fails too, or is newer. */
export const baseFeeNumerator = (pool: DammPoolAccount, swap: FeeCase): bigint | undefined => {
  const { activationPoint, baseFee } = pool
  switch (baseFee.mode) {
    case 0:
    case 1: {
      if (baseFee.periodFrequency === 0n) return baseFee.cliffFeeNumerator
      const elapsed = swap.currentPoint - activationPoint
      const period = elapsed < 0n ? baseFee.numberOfPeriod : elapsed / baseFee.periodFrequency
      return reduced(baseFee, period, baseFee.mode === 1)
    }
    case 2:
      return isRateLimited(baseFee, activationPoint, swap)
        ? limitedFee(baseFee, swap.amountIn)
        : baseFee.cliffFeeNumerator
    case 3:
    case 4:
      return reduced(baseFee, pricePeriod(pool, baseFee, swap.currentPoint), baseFee.mode === 4)
    case "unknown":
      return undefined
  }
}

/** Steps that the price has risen since the pool began; all of them once the schedule is over. */
const pricePeriod = (
  { activationPoint, initSqrtPrice, sqrtPrice }: DammPoolAccount,
  fee: Extract<DammBaseFee, { readonly mode: 3 | 4 }>,
  currentPoint: bigint,
): bigint => {
  if (currentPoint < activationPoint || currentPoint > activationPoint + fee.schedulerExpirationDuration)
    return fee.numberOfPeriod
  if (sqrtPrice <= initSqrtPrice || initSqrtPrice === 0n || fee.sqrtPriceStepBps === 0n) return 0n
  return ((sqrtPrice - initSqrtPrice) * BASIS_POINTS) / initSqrtPrice / fee.sqrtPriceStepBps
}

/** The fee after so many periods: by the factor in each, or less by a factor of (1 - factor / 10,000). */
const reduced = (
  fee: { readonly cliffFeeNumerator: bigint; readonly numberOfPeriod: bigint; readonly reductionFactor: bigint },
  passed: bigint,
  isExponential: boolean,
): bigint | undefined => {
  const { cliffFeeNumerator, reductionFactor } = fee
  const period = smaller(passed, fee.numberOfPeriod)
  if (!isExponential) {
    const left = cliffFeeNumerator - reductionFactor * period
    return left < 0n ? undefined : left
  }
  if (reductionFactor >= BASIS_POINTS) return period === 0n ? cliffFeeNumerator : undefined
  const power = powerQ64(ONE_Q64 - (reductionFactor * ONE_Q64) / BASIS_POINTS, period)
  return power === 0n ? undefined : (cliffFeeNumerator * power) / ONE_Q64
}

/** `base` to the power of `exponent` for a Q64.64 base up to one, cut to 64 bits after every multiplication as on chain. */
const powerQ64 = (base: bigint, exponent: bigint): bigint => {
  let result = ONE_Q64
  if (base === ONE_Q64) return result
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n) {
    if ((rest & 1n) === 1n) result = (result * square) >> 64n
    square = (square * square) >> 64n
  }
  return result
}

/**
 * Rate limiter: each further reference amount costs the increment more, up to the highest fee. The program turns the sum
 * into one numerator for the whole amount, rounded up twice.
 */
const limitedFee = (fee: Extract<DammBaseFee, { readonly mode: 2 }>, amountIn: bigint): bigint | undefined => {
  const { cliffFeeNumerator: cliff, referenceAmount } = fee
  if (amountIn <= referenceAmount) return cliff
  const [highest, step] = [fee.maxFeeBps * NUMERATOR_PER_BPS, fee.feeIncrementBps * NUMERATOR_PER_BPS]
  if (step === 0n || highest < cliff) return undefined
  const further = (amountIn - referenceAmount) / referenceAmount
  const stepsMax = (highest - cliff) / step
  const steps = smaller(further, stepsMax)
  const stepped = referenceAmount * (cliff + cliff * steps + (step * steps * (steps + 1n)) / 2n)
  const rest = amountIn - referenceAmount - steps * referenceAmount
  const sum = stepped + rest * (further < stepsMax ? cliff + step * (steps + 1n) : highest)
  return dividedUp(dividedUp(sum, FEE_DENOMINATOR) * FEE_DENOMINATOR, amountIn)
}

/** Numerator of the dynamic fee. */
export const dynamicFeeNumerator = (fee: DammPoolAccount["dynamicFee"]): bigint =>
  fee.isEnabled
    ? dividedUp((fee.volatilityAccumulator * fee.binStep) ** 2n * fee.variableFeeControl, VARIABLE_FEE_SCALE)
    : 0n

/** Numerator of the whole fee of a swap, capped as the program caps it; `undefined` where it cannot be known. */
export const feeNumerator = (pool: DammPoolAccount, swap: FeeCase): bigint | undefined => {
  const base = baseFeeNumerator(pool, swap)
  const highest = FEES_MAX[pool.feeVersion]
  if (base === undefined || highest === undefined) return undefined
  return smaller(base + dynamicFeeNumerator(pool.dynamicFee), highest)
}

/** A numerator in basis points, with a fraction where it has one. */
export const bpsOf = (numerator: bigint): number => Number(numerator) / Number(NUMERATOR_PER_BPS)
