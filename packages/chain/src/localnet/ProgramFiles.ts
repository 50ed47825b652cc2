import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Address } from "@solana/kit"
import { Schema } from "effect"
import type { LiteSVM } from "litesvm"
import {
  DAMM_V1_PROGRAM,
  DAMM_V2_PROGRAM,
  DBC_PROGRAM,
  DYNAMIC_VAULT_PROGRAM,
  LOCKER_PROGRAM,
  METADATA_PROGRAM,
} from "../accounts/Programs.ts"

/** What every launch needs. */
const LAUNCH_PROGRAMS: ReadonlyArray<Address> = [DBC_PROGRAM, METADATA_PROGRAM, DAMM_V2_PROGRAM]

/** What is cloned, by the file that it is written to: what launches need, those with locked vesting among them. */
export const CLONED_PROGRAMS: ReadonlyArray<readonly [file: string, program: Address]> = [
  ["dynamic_bonding_curve.so", DBC_PROGRAM],
  ["metaplex.so", METADATA_PROGRAM],
  ["cp_amm.so", DAMM_V2_PROGRAM],
  ["locker.so", LOCKER_PROGRAM],
]

/** Programs that are loaded when their `.so` lies in a programs folder, by file name. */
const PROGRAM_FILES = new Map<string, Address>([
  ...CLONED_PROGRAMS,
  ["dbc.so", DBC_PROGRAM],
  ["mpl_token_metadata.so", METADATA_PROGRAM],
  ["damm_v2.so", DAMM_V2_PROGRAM],
  ["amm.so", DAMM_V1_PROGRAM],
  ["vault.so", DYNAMIC_VAULT_PROGRAM],
])

/** A file, or what a cluster answered, is not a program that can be executed. */
export class ProgramUnreadable extends Schema.TaggedError<ProgramUnreadable>()("ProgramUnreadable", {
  program: Schema.String,
  from: Schema.String,
}) {
  override get message(): string {
    return `${this.from} is no program (${this.program}) that the local chain can execute`
  }
}

/** Programs of a LiteSVM, by file name. */
export class LoadedPrograms {
  readonly #svm: LiteSVM
  readonly #files = new Map<string, Address>()

  constructor(svm: LiteSVM) {
    this.#svm = svm
  }

  get files(): ReadonlyArray<string> {
    return [...this.#files.keys()]
  }

  has(program: Address): boolean {
    return [...this.#files.values()].includes(program)
  }

  /** What every launch needs and cannot be executed. */
  get missing(): ReadonlyArray<Address> {
    return LAUNCH_PROGRAMS.filter((program) => !this.has(program))
  }

  /** Loads the bytes of an ELF file; throws `ProgramUnreadable`. `from` says where they are from. */
  load(file: string, elf: Uint8Array, from: string): void {
    const program = PROGRAM_FILES.get(file)!
    try {
      this.#svm.addProgram(program, elf)
    } catch {
      throw new ProgramUnreadable({ program, from })
    }
    this.#files.set(file, program)
  }

  /** Loads the programs of a folder, but for those that are loaded; throws `ProgramUnreadable`. */
  loadFolder(folder: string): void {
    const present = new Set(filesOf(folder))
    for (const [file, program] of PROGRAM_FILES)
      if (present.has(file) && !this.has(program)) this.load(file, readFileSync(join(folder, file)), join(folder, file))
  }
}

/** Written aside and renamed, so that a file is complete or absent. */
export const saveProgram = (folder: string, file: string, elf: Uint8Array): void => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${file}.part`), elf)
  renameSync(join(folder, `${file}.part`), join(folder, file))
}

const filesOf = (folder: string): ReadonlyArray<string> => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
