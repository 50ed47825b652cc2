import type { KnownError } from "./ErrorWords.ts"

/** Errors of the Anchor framework that callers of its programs meet, by code (anchor-lang, `ErrorCode`). */
export const ANCHOR_ERRORS: ReadonlyMap<number, KnownError> = new Map(
  (
    [
      [101, "InstructionFallbackNotFound", "the program has no such instruction"],
      [102, "InstructionDidNotDeserialize", "the program cannot read the instruction"],
      [2000, "ConstraintMut", "an account that is written was passed as read-only"],
      [2001, "ConstraintHasOne", "an account does not belong to another one that was passed"],
      [2002, "ConstraintSigner", "an account has not signed"],
      [2003, "ConstraintRaw", "a condition of the program on its accounts is not met"],
      [2004, "ConstraintOwner", "an account belongs to another program"],
      [2006, "ConstraintSeeds", "an account is not the one that its seeds give"],
      [2009, "ConstraintAssociated", "an account is not the associated token account"],
      [2012, "ConstraintAddress", "an account is not the one that the program expects"],
      [2014, "ConstraintTokenMint", "a token account is of another mint"],
      [2015, "ConstraintTokenOwner", "a token account has another owner"],
      [2021, "ConstraintTokenTokenProgram", "a token account is of another token program"],
      [3002, "AccountDiscriminatorMismatch", "an account is of another kind than the program expects"],
      [3003, "AccountDidNotDeserialize", "the program cannot read an account"],
      [3005, "AccountNotEnoughKeys", "the instruction has too few accounts"],
      [3007, "AccountOwnedByWrongProgram", "an account belongs to another program than expected"],
      [3008, "InvalidProgramId", "an account is not the program that is expected"],
      [3010, "AccountNotSigner", "an account has not signed"],
      [3012, "AccountNotInitialized", "an account that the program expects does not exist"],
    ] as const
  ).map(([code, name, sentence]) => [code, { name, sentence }]),
)
