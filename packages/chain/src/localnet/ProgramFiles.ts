import { readdirSync } from "node:fs"
import { join } from "node:path"
import type { Address } from "@solana/kit"
import type { LiteSVM } from "litesvm"
import {
  DAMM_V1_PROGRAM,
  DAMM_V2_PROGRAM,
  DBC_PROGRAM,
  DYNAMIC_VAULT_PROGRAM,
  METADATA_PROGRAM,
} from "../accounts/Programs.ts"

/** Programs that are loaded when their `.so` lies in the programs folder, by file name. */
const PROGRAM_FILES: Readonly<Record<string, Address>> = {
  "dynamic_bonding_curve.so": DBC_PROGRAM,
  "dbc.so": DBC_PROGRAM,
  "mpl_token_metadata.so": METADATA_PROGRAM,
  "metaplex.so": METADATA_PROGRAM,
  "damm_v2.so": DAMM_V2_PROGRAM,
  "cp_amm.so": DAMM_V2_PROGRAM,
  "amm.so": DAMM_V1_PROGRAM,
  "vault.so": DYNAMIC_VAULT_PROGRAM,
}

/** Loads the programs of a folder; returns the file names. */
export const loadPrograms = (svm: LiteSVM, folder: string): ReadonlyArray<string> => {
  const present = new Set(filesOf(folder))
  const loaded = Object.entries(PROGRAM_FILES).filter(([file]) => present.has(file))
  for (const [file, program] of loaded) svm.addProgramFromFile(program, join(folder, file))
  return loaded.map(([file]) => file)
}

const filesOf = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
