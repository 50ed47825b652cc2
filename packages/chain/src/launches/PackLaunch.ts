import type { LaunchPurpose } from "@launch-registry/domain/launch/CreateLaunch"
import type { LaunchStep } from "../build/LaunchStep.ts"

/** What must have landed before a step. */
const NEEDS: Readonly<Record<LaunchPurpose, LaunchPurpose | undefined>> = {
  config: undefined,
  pool: "config",
  first_buy: "pool",
  pool_metadata: "pool",
}

/** Every way to cut the steps, in their order, into transactions. */
const cuttings = (steps: ReadonlyArray<LaunchStep>): ReadonlyArray<ReadonlyArray<ReadonlyArray<LaunchStep>>> => {
  const [first, ...rest] = steps
  if (first === undefined) return [[]]
  return cuttings(rest).flatMap((groups) => {
    const [next, ...others] = groups
    const apart = [[first], ...groups]
    return next === undefined ? [apart] : [[[first, ...next], ...others], apart]
  })
}

const has = (steps: ReadonlyArray<LaunchStep>, purpose: LaunchPurpose): boolean =>
  steps.some((step) => step.purpose === purpose)

/**
 * The steps as the fewest transactions that fit; of several ways, one with the first buy beside the creation of the pool, so that
 * nobody buys in between. `undefined` when a step alone does not fit.
 */
export const packLaunch = (
  steps: ReadonlyArray<LaunchStep>,
  fits: (steps: ReadonlyArray<LaunchStep>) => boolean,
): ReadonlyArray<ReadonlyArray<LaunchStep>> | undefined => {
  const isSplit = (groups: ReadonlyArray<ReadonlyArray<LaunchStep>>) =>
    groups.some((group) => has(group, "pool") && !has(group, "first_buy")) ? 1 : 0
  return cuttings(steps)
    .toSorted((left, right) => left.length - right.length || isSplit(left) - isSplit(right))
    .find((groups) => groups.every(fits))
}

/** Indexes of the transactions that must be confirmed before each of them. */
export const requirements = (groups: ReadonlyArray<ReadonlyArray<LaunchStep>>): ReadonlyArray<ReadonlyArray<number>> =>
  groups.map((group, at) => {
    const needed = group.map(({ purpose }) => NEEDS[purpose]).filter((purpose) => purpose !== undefined)
    const before = needed.map((purpose) => groups.findIndex((other) => has(other, purpose)))
    return [...new Set(before.filter((index) => index >= 0 && index < at))]
  })
