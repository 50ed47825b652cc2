import { mkdirSync, renameSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createSolanaRpc, type Address } from "@solana/kit"
import { Effect, Redacted, Schema } from "effect"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { DAMM_V2_PROGRAM, DBC_PROGRAM, METADATA_PROGRAM } from "../accounts/Programs.ts"

/** A program could not be cloned. The message carries no URL, which may hold a key. */
export class ProgramNotCloned extends Schema.TaggedError<ProgramNotCloned>()("ProgramNotCloned", {
  program: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `${this.program}: ${this.reason}`
  }
}

/** What the local chain executes, by the file it looks for. */
const PROGRAMS: ReadonlyArray<readonly [file: string, program: Address]> = [
  ["dynamic_bonding_curve.so", DBC_PROGRAM],
  ["metaplex.so", METADATA_PROGRAM],
  ["cp_amm.so", DAMM_V2_PROGRAM],
]

const LOADER = "BPFLoader2111111111111111111111111111111111"
const UPGRADEABLE_LOADER = "BPFLoaderUpgradeab1e11111111111111111111111"
/** `UpgradeableLoaderState`: the program holds the address of its data @4; the data hold a header of 45 bytes. */
const PROGRAM_DATA_ADDRESS_OFFSET = 4
const PROGRAM_DATA_HEADER_BYTES = 45
const ELF_MAGIC = "7f454c46"
/** A program takes megabytes. */
const DEADLINE_MILLIS = 60_000

interface Read {
  readonly owner: string
  readonly data: Buffer
}

/** Reads the programs from an RPC endpoint into `folder`; returns the files with their sizes. */
export const clonePrograms = Effect.fn("clonePrograms")(function* (url: Redacted.Redacted, folder: string) {
  const rpc = createSolanaRpc(Redacted.value(url))
  const read = (program: string, address: string): Effect.Effect<Read, ProgramNotCloned> =>
    Effect.tryPromise({
      try: (signal) =>
        rpc
          .getAccountInfo(address as Address, { encoding: "base64", commitment: "confirmed" })
          .send({ abortSignal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MILLIS)]) }),
      catch: () => new ProgramNotCloned({ program, reason: "the endpoint does not answer" }),
    }).pipe(
      Effect.flatMap(({ value }) =>
        value === null
          ? Effect.fail(new ProgramNotCloned({ program, reason: `there is no account ${address} on this cluster` }))
          : Effect.succeed({ owner: String(value.owner), data: Buffer.from(value.data[0], "base64") }),
      ),
    )

  const elfOf = Effect.fnUntraced(function* (program: Address) {
    const account = yield* read(program, program)
    if (account.owner === LOADER) return account.data
    if (account.owner !== UPGRADEABLE_LOADER)
      return yield* new ProgramNotCloned({
        program,
        reason: `is no program of a loader we know, but of ${account.owner}`,
      })
    const at = PROGRAM_DATA_ADDRESS_OFFSET
    const { data } = yield* read(program, encodeBase58(account.data.subarray(at, at + 32)))
    return data.subarray(PROGRAM_DATA_HEADER_BYTES)
  })

  const files: Array<{ readonly file: string; readonly bytes: number }> = []
  for (const [file, program] of PROGRAMS) {
    const elf = yield* elfOf(program)
    if (elf.subarray(0, 4).toString("hex") !== ELF_MAGIC)
      return yield* new ProgramNotCloned({ program, reason: "its account holds no ELF file" })
    mkdirSync(folder, { recursive: true })
    // Written aside and renamed, so that a file is complete or absent.
    writeFileSync(join(folder, `${file}.part`), elf)
    renameSync(join(folder, `${file}.part`), join(folder, file))
    files.push({ file, bytes: elf.length })
  }
  return files
})
