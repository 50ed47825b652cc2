import type { LockedVesting as LockedVestingView } from "@launch-registry/domain/pools/Schedules"

/** Base tokens that are locked at migration, as the program has them: amounts in smallest units, times in seconds. */
export interface LockedVesting {
  readonly amountPerPeriod: bigint
  readonly cliffDurationFromMigrationTime: bigint
  readonly frequency: bigint
  readonly numberOfPeriod: bigint
  readonly cliffUnlockAmount: bigint
}

export const NO_VESTING: LockedVesting = {
  amountPerPeriod: 0n,
  cliffDurationFromMigrationTime: 0n,
  frequency: 0n,
  numberOfPeriod: 0n,
  cliffUnlockAmount: 0n,
}

/** What is asked for, in smallest units and seconds. */
export interface VestingRequest {
  readonly total: bigint
  readonly cliff: bigint
  readonly periods: number
  readonly duration: number
  readonly cliffDuration: number
}

/**
 * The vesting of all of `total`: what does not divide by the periods is released with the cliff. One that releases everything at the cliff
 * has a period of one unit a second later, as the SDK makes it: the locker takes none without a period.
 */
export const lockedVesting = ({ cliff, cliffDuration, duration, periods, total }: VestingRequest): LockedVesting => {
  if (total === 0n) return NO_VESTING
  const cliffDurationFromMigrationTime = BigInt(cliffDuration)
  if (cliff === total)
    return {
      ...{ amountPerPeriod: 1n, frequency: 1n, numberOfPeriod: 1n },
      ...{ cliffUnlockAmount: total - 1n, cliffDurationFromMigrationTime },
    }
  const numberOfPeriod = BigInt(periods)
  const amountPerPeriod = (total - cliff) / numberOfPeriod
  return {
    amountPerPeriod,
    cliffDurationFromMigrationTime,
    frequency: BigInt(duration) / numberOfPeriod,
    numberOfPeriod,
    cliffUnlockAmount: total - amountPerPeriod * numberOfPeriod,
  }
}

/** The vesting with its releases; times are from the completion of the curve on (`create_locker`). */
export const vestingView = (vesting: LockedVesting): LockedVestingView => {
  const {
    amountPerPeriod,
    cliffDurationFromMigrationTime: cliff,
    cliffUnlockAmount,
    frequency,
    numberOfPeriod,
  } = vesting
  const release = (seconds: bigint, amount: bigint, times: bigint, every: bigint) => ({
    secondsAfterCompletion: seconds.toString(),
    amount: amount.toString(),
    times: times.toString(),
    everySeconds: every.toString(),
  })
  return {
    total: (cliffUnlockAmount + amountPerPeriod * numberOfPeriod).toString(),
    amountPerPeriod: amountPerPeriod.toString(),
    numberOfPeriod: numberOfPeriod.toString(),
    frequency: frequency.toString(),
    cliffUnlockAmount: cliffUnlockAmount.toString(),
    cliffDurationFromMigrationTime: cliff.toString(),
    releases: [
      ...(cliffUnlockAmount === 0n ? [] : [release(cliff, cliffUnlockAmount, 1n, 0n)]),
      ...(amountPerPeriod * numberOfPeriod === 0n
        ? []
        : [release(cliff + frequency, amountPerPeriod, numberOfPeriod, numberOfPeriod === 1n ? 0n : frequency)]),
    ],
  }
}
