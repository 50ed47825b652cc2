/** Pseudo-random whole numbers from 0 up to, not including, a limit; the same in every run. */
export const randomOf = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
export type Random = ReturnType<typeof randomOf>
