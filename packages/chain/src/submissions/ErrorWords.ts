import {
  ASSOCIATED_TOKEN_PROGRAM,
  DAMM_V2_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../accounts/Programs.ts"
import { DAMM_ERRORS, DAMM_ERRORS_FROM, DAMM_SENTENCES } from "./DammErrors.ts"

/** Name and sentence of an error of a program. */
export interface KnownError {
  readonly name: string
  readonly sentence: string
}

/** Sentences for errors of the network that callers meet; all others are their name in words. */
const SENTENCES: Readonly<Record<string, string>> = {
  AccountNotFound: "the fee payer has no account: it holds no SOL",
  AlreadyProcessed: "the transaction has already been processed",
  BlockhashNotFound: "the blockhash is not valid any more, or not known",
  InsufficientFundsForFee: "the fee payer does not hold enough SOL for the fee",
  InsufficientFundsForRent: "an account would be left with less SOL than its rent",
  InvalidAccountForFee: "the account of the fee payer cannot pay fees",
  ProgramAccountNotFound: "a program that the transaction calls does not exist",
  ComputationalBudgetExceeded: "the compute units of the transaction did not suffice",
  ProgramFailedToComplete: "the program stopped before its end, such as for want of compute units",
  InsufficientFunds: "an account holds too little for the instruction",
  InvalidAccountData: "an account holds other data than the program expects",
  UninitializedAccount: "an account is not initialized",
  AccountAlreadyInitialized: "an account exists already",
  MissingRequiredSignature: "a signature that the program requires is missing",
}

/** `InsufficientFundsForFee` as `insufficient funds for fee`. */
const inWords = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " ").toLowerCase()

export const sentenceOf = (name: string): string => SENTENCES[name] ?? inWords(name)

/** Name and sentence by code. */
type ErrorTable = ReadonlyArray<readonly [name: string, sentence: string]>

/** Error codes of the System program (solana-system-interface, `SystemError`). */
const SYSTEM_ERRORS: ErrorTable = [
  ["AccountAlreadyInUse", "an account with that address exists already"],
  ["ResultWithNegativeLamports", "the account does not hold enough SOL"],
  ["InvalidProgramId", "the account cannot be assigned to that program"],
  ["InvalidAccountDataLength", "an account cannot have that length"],
  ["MaxSeedLengthExceeded", "the seed is too long"],
  ["AddressWithSeedMismatch", "the address does not follow from base, seed and owner"],
]

/** Error codes of both token programs (spl-token, `TokenError`). */
const TOKEN_ERRORS: ErrorTable = [
  ["NotRentExempt", "an account holds less SOL than its rent"],
  ["InsufficientFunds", "the token account does not hold enough tokens"],
  ["InvalidMint", "the mint is invalid"],
  ["MintMismatch", "the token account is of another mint"],
  ["OwnerMismatch", "the token account has another owner"],
  ["FixedSupply", "the supply of the mint is fixed"],
  ["AlreadyInUse", "the account is in use already"],
  ["InvalidNumberOfProvidedSigners", "the number of signers is invalid"],
  ["InvalidNumberOfRequiredSigners", "the number of required signers is invalid"],
  ["UninitializedState", "the account is not initialized"],
  ["NativeNotSupported", "the instruction does not support wrapped SOL"],
  ["NonNativeHasBalance", "the account can only be closed when it is empty"],
  ["InvalidInstruction", "the instruction is invalid"],
  ["InvalidState", "the account is in a state that does not allow this"],
  ["Overflow", "the amount is too large"],
  ["AuthorityTypeNotSupported", "the account does not support this authority"],
  ["MintCannotFreeze", "the mint cannot freeze accounts"],
  ["AccountFrozen", "the token account is frozen"],
  ["MintDecimalsMismatch", "the decimals differ from those of the mint"],
  ["NonNativeNotSupported", "the instruction supports only wrapped SOL"],
]

const ASSOCIATED_TOKEN_ERRORS: ErrorTable = [["InvalidOwner", "the associated token account has another owner"]]

const TABLES: ReadonlyMap<string, ErrorTable> = new Map<string, ErrorTable>([
  [SYSTEM_PROGRAM, SYSTEM_ERRORS],
  [TOKEN_PROGRAM, TOKEN_ERRORS],
  [TOKEN_2022_PROGRAM, TOKEN_ERRORS],
  [ASSOCIATED_TOKEN_PROGRAM, ASSOCIATED_TOKEN_ERRORS],
])

/** An error of cp-amm by its code. */
const dammError = (code: number): KnownError | undefined => {
  const name = DAMM_ERRORS[code - DAMM_ERRORS_FROM]
  return name === undefined ? undefined : { name, sentence: DAMM_SENTENCES[name] ?? inWords(name) }
}

/** An error by its code, of a program whose errors are known by a table. */
export const tabledError = (program: string, code: number): KnownError | undefined => {
  if (program === DAMM_V2_PROGRAM) return dammError(code)
  const found = TABLES.get(program)?.[code]
  return found && { name: found[0], sentence: found[1] }
}
