/**
 * No name of the contract is longer, but keys and signatures are: longer names are not repeated, because they may be
 * secrets.
 */
export const NAME_LENGTH_MAX = 40

/** Up to this number, known names are listed. */
const LISTED_MAX = 16

/** Suffix of the message about an unknown name: the likely intended name, or all known names if they are few. */
export const suggestion = (unknown: string, known: ReadonlyArray<string>): string => {
  const near = nearestName(unknown, known)
  if (near !== undefined) return `; did you mean ${near}?`
  return known.length > 0 && known.length <= LISTED_MAX
    ? `; known ${known.length === 1 ? "is" : "are"} ${known.join(", ")}`
    : ""
}

/** The known name closest to `unknown`: other spelling, prefix, or a few letters off. */
export const nearestName = (unknown: string, known: ReadonlyArray<string>): string | undefined => {
  if (unknown.length > NAME_LENGTH_MAX) return undefined
  const asked = lettersOf(unknown)
  let nearest: { readonly name: string; readonly steps: number } | undefined
  for (const name of known) {
    const steps = stepsBetween(asked, lettersOf(name))
    if (steps !== undefined && steps < (nearest?.steps ?? Number.POSITIVE_INFINITY)) nearest = { name, steps }
  }
  return nearest?.name
}

/** Whether `unknown` is `known` up to one letter, case and separators. */
export const isOneLetterOff = (unknown: string, known: string): boolean =>
  editSteps(lettersOf(unknown), lettersOf(known)) <= 1

/** Ignores case, `_` and `-`. */
export const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, "")

/** Minimum length of a prefix that matches a name. */
const BEGINNING_MIN = 4

const stepsBetween = (asked: string, name: string): number | undefined => {
  const shorter = Math.min(asked.length, name.length)
  const allowed = Math.floor(Math.max(asked.length, name.length) / 3)
  const steps = Math.abs(asked.length - name.length) > allowed ? allowed + 1 : editSteps(asked, name)
  if (steps <= allowed) return steps
  const isBeginning = shorter >= BEGINNING_MIN && (name.startsWith(asked) || asked.startsWith(name))
  return isBeginning ? allowed + 1 : undefined
}

/** Edit distance with transpositions (optimal string alignment). */
const editSteps = (from: string, to: string): number => {
  let beforeLast: ReadonlyArray<number> = []
  let last: ReadonlyArray<number> = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let row = 1; row <= from.length; row++) {
    const steps = [row]
    for (let column = 1; column <= to.length; column++) {
      const isSame = from[row - 1] === to[column - 1]
      const isSwapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      steps.push(
        Math.min(
          last[column]! + 1,
          steps[column - 1]! + 1,
          last[column - 1]! + (isSame ? 0 : 1),
          isSwapped ? beforeLast[column - 2]! + 1 : Number.POSITIVE_INFINITY,
        ),
      )
    }
    beforeLast = last
    last = steps
  }
  return last[to.length]!
}
