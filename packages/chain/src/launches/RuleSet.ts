/** States a rule: what is expected of a field where it does not hold. */
export type Require = (holds: boolean, field: string, message: string) => void

/** What to say of a duration that its periods do not divide. */
export const multipleOf = (duration: number, periods: number): string => {
  const below = Math.floor(duration / periods) * periods
  const nearest = below === 0 ? `${periods}` : `${below} or ${below + periods}`
  return `expected a multiple of the ${periods} periods, such as ${nearest}: a period has whole seconds or slots`
}
