import { COMPUTE_BUDGET_PROGRAM_ADDRESS } from "@solana-program/compute-budget"
import {
  ASSOCIATED_TOKEN_PROGRAM,
  DAMM_V1_PROGRAM,
  DAMM_V2_PROGRAM,
  DBC_PROGRAM,
  METADATA_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from "../accounts/Programs.ts"

/** Programs that transactions built here call, and those that wallets add instructions of, such as the compute budget. */
export const BUILDER_PROGRAMS: ReadonlyArray<string> = [
  ...[COMPUTE_BUDGET_PROGRAM_ADDRESS, SYSTEM_PROGRAM, ASSOCIATED_TOKEN_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM],
  ...[DBC_PROGRAM, DAMM_V2_PROGRAM, DAMM_V1_PROGRAM, METADATA_PROGRAM],
]
