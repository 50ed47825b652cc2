import type { FeeSchedule as FeeScheduleView } from "@launch-registry/domain/pools/Schedules"

/** Basis points of a fee numerator, which is over 10^9. */
const NUMERATOR_PER_BPS = 100_000n
const ONE_Q64 = 1n << 64n

/** The base fee as the program has it: `first_factor` is the number of periods, `second_factor` their length, `third_factor` the reduction. */
export interface FeeSchedule {
  /** Over 10^9. */
  readonly cliffFeeNumerator: bigint
  readonly numberOfPeriod: number
  /** Slots or seconds. */
  readonly periodFrequency: bigint
  /** Linear: of the numerator, over 10^9. Exponential: basis points. */
  readonly reductionFactor: bigint
  /** 0 linear, 1 exponential. */
  readonly baseFeeMode: 0 | 1
}

export interface FeeScheduleRequest {
  readonly startingFeeBps: number
  readonly endingFeeBps: number
  readonly numberOfPeriod: number
  readonly totalDuration: number
  readonly baseFeeMode: 0 | 1
}

/** The schedule that ends nearest to the ending fee without falling below it. */
export const feeSchedule = (request: FeeScheduleRequest): FeeSchedule => {
  const { baseFeeMode, endingFeeBps, numberOfPeriod, startingFeeBps, totalDuration } = request
  const cliffFeeNumerator = BigInt(startingFeeBps) * NUMERATOR_PER_BPS
  if (numberOfPeriod === 0)
    return { cliffFeeNumerator, numberOfPeriod, periodFrequency: 0n, reductionFactor: 0n, baseFeeMode: 0 }
  const end = BigInt(endingFeeBps) * NUMERATOR_PER_BPS
  const schedule = {
    cliffFeeNumerator,
    numberOfPeriod,
    baseFeeMode,
    periodFrequency: BigInt(totalDuration) / BigInt(numberOfPeriod),
  }
  if (baseFeeMode === 0) return { ...schedule, reductionFactor: (cliffFeeNumerator - end) / BigInt(numberOfPeriod) }
  let reductionFactor = BigInt(Math.floor(10_000 * (1 - (endingFeeBps / startingFeeBps) ** (1 / numberOfPeriod))))
  while (reductionFactor > 0n && feeAfter({ ...schedule, reductionFactor }, numberOfPeriod) < end) reductionFactor--
  return { ...schedule, reductionFactor }
}

/** Numerator of the fee after so many periods (`fee_scheduler.rs`). */
export const feeAfter = (schedule: FeeSchedule, periods: number): bigint => {
  const passed = Math.min(periods, schedule.numberOfPeriod)
  if (schedule.baseFeeMode === 0) return schedule.cliffFeeNumerator - schedule.reductionFactor * BigInt(passed)
  const kept = ONE_Q64 - (schedule.reductionFactor << 64n) / 10_000n
  return (powerOf(kept, passed) * schedule.cliffFeeNumerator) >> 64n
}

/** A power of a Q64.64 below one, by squares, each rounded down (`fee_math.rs`). */
const powerOf = (base: bigint, exponent: number): bigint => {
  let [power, square] = [ONE_Q64, base]
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = (power * square) >> 64n
    square = (square * square) >> 64n
  }
  return power
}

const bpsOf = (numerator: bigint): number => Number(numerator) / Number(NUMERATOR_PER_BPS)

export const feeScheduleView = (schedule: FeeSchedule): FeeScheduleView => {
  const { cliffFeeNumerator, numberOfPeriod, periodFrequency, reductionFactor } = schedule
  return {
    startingFeeBps: bpsOf(cliffFeeNumerator),
    endingFeeBps: bpsOf(feeAfter(schedule, numberOfPeriod)),
    numberOfPeriod,
    periodFrequency: periodFrequency.toString(),
    totalDuration: (periodFrequency * BigInt(numberOfPeriod)).toString(),
    reductionFactor: reductionFactor.toString(),
  }
}
