/** What the logs of a failed transaction say of it. */
export interface FailureLogs {
  /** The program that failed first: the innermost one, whose error the callers passed on. */
  readonly program: string | undefined
  /** Name and sentence of the error, as an Anchor program logs them. */
  readonly name: string | undefined
  readonly sentence: string | undefined
}

const FAILED = /^Program ([1-9A-HJ-NP-Za-km-z]{32,44}) failed: (.*)$/
const ANCHOR = /Error Code: (\w{1,100})\. Error Number: \d{1,10}\. Error Message: (.{1,500}?)\.?$/
/** As the token programs and most others without Anchor log errors. */
const LOGGED = /^Program log: Error: (.{1,500})$/
/** As the System program logs a balance that is too low. */
const BALANCE = /^Transfer: (insufficient lamports \d{1,20}, need \d{1,20})$/
/** The caller's programs may log at length before one fails. */
const LINES_BEFORE_MAX = 50

/** Looks for the first program that failed, and for what it logged last about that. */
export const readFailureLogs = (logs: ReadonlyArray<string>): FailureLogs => {
  const at = logs.findIndex((line) => FAILED.test(line))
  const program = at < 0 ? undefined : FAILED.exec(logs[at]!)![1]
  const before = logs.slice(Math.max(0, (at < 0 ? logs.length : at) - LINES_BEFORE_MAX), at < 0 ? undefined : at)
  for (const line of before.toReversed()) {
    const anchor = ANCHOR.exec(line)
    if (anchor !== null) return { program, name: anchor[1], sentence: anchor[2] }
    const sentence = (LOGGED.exec(line) ?? BALANCE.exec(line))?.[1]
    if (sentence !== undefined) return { program, name: undefined, sentence }
  }
  return { program, name: undefined, sentence: undefined }
}
