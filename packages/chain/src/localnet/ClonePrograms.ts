import type { Address } from "@solana/kit"
import { Duration, Effect, Redacted, Schema } from "effect"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { HttpConnection } from "../rpc/HttpConnection.ts"
import { AnswerTooLarge } from "../rpc/HttpTarget.ts"

/** A program could not be cloned. The message carries no URL, which may hold a key. */
export class ProgramNotCloned extends Schema.TaggedError<ProgramNotCloned>()("ProgramNotCloned", {
  program: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `${this.program}: ${this.reason}`
  }
}

/** The public endpoint of Solana's mainnet. */
export const MAINNET_RPC = Redacted.make("https://api.mainnet-beta.solana.com")

const LOADERS = new Set(["BPFLoader2111111111111111111111111111111111", "BPFLoader1111111111111111111111111111111111"])
const UPGRADEABLE_LOADER = "BPFLoaderUpgradeab1e11111111111111111111111"
/** `UpgradeableLoaderState`: a tag of 4 bytes; then `Program` has the address of its data, `ProgramData` a header. */
const [PROGRAM_TAG, PROGRAM_DATA_TAG] = [2, 3]
const TAG_BYTES = 4
const PROGRAM_DATA_HEADER_BYTES = 45
const ELF_MAGIC = "7f454c46"
/** An account has at most 10 MiB, which are 14 in base64. */
const ANSWER_BYTES_MAX = 16 * 1_048_576

const Answer = Schema.Struct({
  result: Schema.Struct({
    value: Schema.NullOr(Schema.Struct({ owner: Schema.String, data: Schema.Tuple([Schema.String, Schema.String]) })),
  }),
})
const decodeAnswer = Schema.decodeUnknownEffect(Schema.fromJsonString(Answer))

interface Read {
  readonly owner: string
  readonly data: Buffer
}

const wordsOf = (error: unknown): string =>
  error instanceof AnswerTooLarge
    ? `the endpoint answers more than ${ANSWER_BYTES_MAX} bytes`
    : "the endpoint does not answer"

/** Reads programs from an RPC endpoint, within `timeout` for all; hands the bytes of each ELF file to `keep`. */
export const clonePrograms = Effect.fn("clonePrograms")(function* <E>(
  url: Redacted.Redacted,
  programs: ReadonlyArray<readonly [file: string, program: Address]>,
  {
    keep,
    timeout,
  }: { readonly keep: (file: string, elf: Buffer) => Effect.Effect<void, E>; readonly timeout: Duration.Input },
) {
  const connection = yield* Effect.acquireRelease(
    Effect.sync(() => new HttpConnection(url, ANSWER_BYTES_MAX)),
    (opened) => Effect.promise(() => opened.close()),
  )

  const read = Effect.fnUntraced(function* (program: string, address: string) {
    const params = [address, { encoding: "base64", commitment: "confirmed" }]
    const fault = (reason: string) => new ProgramNotCloned({ program, reason })
    const { status, text } = yield* Effect.tryPromise({
      try: (signal) =>
        connection.post(JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getAccountInfo", params }), signal),
      catch: (error) => fault(wordsOf(error)),
    })
    if (status !== 200) return yield* fault(`the endpoint answers with status ${status}`)
    const { result } = yield* Effect.mapError(decodeAnswer(text), () => fault("the endpoint's answer is no account"))
    if (result.value === null) return yield* fault(`there is no account ${address} on this cluster`)
    const { data, owner } = result.value
    return { owner, data: Buffer.from(data[0], "base64") } satisfies Read
  })

  const ofTag = ({ data, owner }: Read, tag: number): boolean =>
    owner === UPGRADEABLE_LOADER && data.length >= PROGRAM_DATA_HEADER_BYTES - 9 && data.readUInt32LE(0) === tag

  const elfOf = Effect.fnUntraced(function* (program: Address) {
    const account = yield* read(program, program)
    if (LOADERS.has(account.owner)) return account.data
    const fault = (reason: string) => new ProgramNotCloned({ program, reason })
    if (!ofTag(account, PROGRAM_TAG)) return yield* fault(`is no program of a loader we know, but of ${account.owner}`)
    const data = yield* read(program, encodeBase58(account.data.subarray(TAG_BYTES, TAG_BYTES + 32)))
    if (!ofTag(data, PROGRAM_DATA_TAG)) return yield* fault("its account names no account with a program")
    return data.data.subarray(PROGRAM_DATA_HEADER_BYTES)
  })

  const clone = Effect.fnUntraced(function* (file: string, program: Address) {
    const elf = yield* elfOf(program)
    if (elf.subarray(0, 4).toString("hex") !== ELF_MAGIC)
      return yield* new ProgramNotCloned({ program, reason: "its account holds no ELF file" })
    yield* keep(file, elf)
    return { file, bytes: elf.length }
  })

  return yield* Effect.forEach(programs, ([file, program]) => clone(file, program)).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          new ProgramNotCloned({
            program: "programs",
            reason: `not read within ${Duration.format(Duration.fromInputUnsafe(timeout))}`,
          }),
        ),
    }),
  )
}, Effect.scoped)
