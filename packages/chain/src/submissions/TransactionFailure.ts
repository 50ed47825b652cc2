import { plain } from "@launch-registry/domain/text/PlainText"
import { loadDbcSdk } from "../dbc/DbcSdk.ts"
import { DAMM_V2_PROGRAM, DBC_PROGRAM } from "../accounts/Programs.ts"
import { ANCHOR_ERRORS } from "./AnchorErrors.ts"
import { type KnownError, sentenceOf, tabledError } from "./ErrorWords.ts"
import { readFailureLogs } from "./FailureLogs.ts"

/** Why a transaction failed, in words. */
export interface TransactionFailure {
  /** Name of the program's error where it is known, else of the network's. */
  readonly code: string
  readonly message: string
  /** Index of the instruction that failed, from 0; null where none is to blame. */
  readonly instruction: number | null
  /** The program that failed, which another one may have called. */
  readonly program: string | null
  /** The program's number of its error. */
  readonly customCode: number | null
}

const ANCHOR_PROGRAMS: ReadonlySet<string> = new Set([DBC_PROGRAM, DAMM_V2_PROGRAM])
const CODE_LENGTH_MAX = 100
const MESSAGE_LENGTH_MAX = 300
const U32_MAX = 0xffff_ffff

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A whole number of 32 bits; nodes' answers are read with bigints. */
const wholeOf = (value: unknown): number | undefined => {
  const number = typeof value === "bigint" ? Number(value) : value
  return typeof number === "number" && Number.isInteger(number) && number >= 0 && number <= U32_MAX ? number : undefined
}

/** The first name of an error: `{ InsufficientFundsForRent: {…} }` is of that name. */
const nameOf = (error: unknown): string => {
  const name = typeof error === "string" ? error : isFields(error) ? Object.keys(error)[0] : undefined
  return plain(name ?? "Unknown", CODE_LENGTH_MAX)
}

/** Those of the DBC program are in its IDL; errors of the framework are the same in all programs that use it. */
const programError = async (program: string, code: number): Promise<KnownError | undefined> => {
  const known = program === DBC_PROGRAM ? (await loadDbcSdk()).errors.get(code) : tabledError(program, code)
  return known ?? (ANCHOR_PROGRAMS.has(program) ? ANCHOR_ERRORS.get(code) : undefined)
}

const shown = (code: string, message: string, rest: Partial<TransactionFailure> = {}): TransactionFailure => ({
  ...{ instruction: null, program: null, customCode: null },
  ...rest,
  // A document of PostgreSQL takes no half surrogate pair.
  code: plain(code, CODE_LENGTH_MAX).toWellFormed(),
  message: plain(message, MESSAGE_LENGTH_MAX).toWellFormed(),
})

/**
 * Why a transaction failed, from the `err` of a node, the programs of its instructions, and its logs where there are some. With
 * logs, the program's own words; else its words in the interface that is known here, or its number.
 */
export const failureOf = async (
  error: unknown,
  programs: ReadonlyArray<string>,
  logs: ReadonlyArray<string> = [],
): Promise<TransactionFailure> => {
  const inner = isFields(error) ? error.InstructionError : undefined
  if (!Array.isArray(inner)) return shown(nameOf(error), sentenceOf(nameOf(error)))
  const instruction = wholeOf(inner[0])
  const [, cause] = inner as ReadonlyArray<unknown>
  const called = instruction === undefined ? undefined : programs[instruction]
  const logged = readFailureLogs(logs)
  const program = logged.program ?? called
  const customCode = isFields(cause) ? wholeOf(cause.Custom) : undefined
  const place = { instruction: instruction ?? null, program: program ?? null, customCode: customCode ?? null }
  if (customCode === undefined) return shown(nameOf(cause), logged.sentence ?? sentenceOf(nameOf(cause)), place)
  const known = program === undefined ? undefined : await programError(program, customCode)
  return shown(
    logged.name ?? known?.name ?? `Custom${customCode}`,
    logged.sentence ?? known?.sentence ?? `the program failed with its error ${customCode}`,
    place,
  )
}
