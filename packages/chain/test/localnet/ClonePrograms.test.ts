import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { DAMM_V2_PROGRAM, DBC_PROGRAM, LOCKER_PROGRAM, METADATA_PROGRAM } from "../../src/accounts/Programs.ts"
import { jsonServer } from "../JsonServer.ts"
import { clonePrograms } from "../../src/localnet/ClonePrograms.ts"
import { CLONED_PROGRAMS } from "../../src/localnet/ProgramFiles.ts"
import { LOADER, type ProgramAccounts, programCluster, upgradeable } from "./ProgramCluster.ts"

const elf = (name: string) => Buffer.concat([Buffer.from("7f454c46", "hex"), Buffer.from(name)])
const curve = upgradeable(DBC_PROGRAM, elf("curve"))
const PROGRAM_DATA = Object.keys(curve).find((address) => address !== DBC_PROGRAM)!

const ACCOUNTS: ProgramAccounts = {
  ...curve,
  [METADATA_PROGRAM]: { owner: LOADER, data: elf("metadata") },
  [DAMM_V2_PROGRAM]: { owner: LOADER, data: elf("amm") },
  [LOCKER_PROGRAM]: { owner: LOADER, data: elf("locker") },
}

/** What is kept of a clone. */
const cloned = (url: string, timeout = "1 minute" as "1 minute" | "50 millis") => {
  const kept: Array<readonly [file: string, text: string]> = []
  const keep = (file: string, bytes: Buffer) => Effect.sync(() => void kept.push([file, bytes.toString("latin1", 4)]))
  return Effect.map(
    Effect.result(clonePrograms(Redacted.make(url), CLONED_PROGRAMS, { keep, timeout })),
    (outcome) => ({ kept, message: outcome._tag === "Failure" ? outcome.failure.message : undefined }),
  )
}

describe("Cloning programs", () => {
  it.live("keeps the file of every program without the loader's header", () =>
    Effect.gen(function* () {
      const { url } = yield* programCluster(ACCOUNTS)
      assert.deepStrictEqual(yield* cloned(url), {
        message: undefined,
        kept: [
          ["dynamic_bonding_curve.so", "curve"],
          ["metaplex.so", "metadata"],
          ["cp_amm.so", "amm"],
          ["locker.so", "locker"],
        ],
      })
    }),
  )

  const data = curve[PROGRAM_DATA]!
  const wrong: ReadonlyArray<readonly [what: string, accounts: ProgramAccounts, says: RegExp]> = [
    ["is not there", { [DBC_PROGRAM]: undefined }, /there is no account/],
    ["has no data account", { [PROGRAM_DATA]: undefined }, /there is no account/],
    ["has data of somebody else", { [PROGRAM_DATA]: { ...data, owner: LOADER } }, /names no account with a program/],
    ["has data that are a buffer", { [PROGRAM_DATA]: { ...data, data: Buffer.alloc(60, 1) } }, /names no account/],
    ["is of another loader", { [DBC_PROGRAM]: { owner: PROGRAM_DATA, data: elf("x") } }, /no program of a/],
    ["is cut", { [DBC_PROGRAM]: { ...curve[DBC_PROGRAM]!, data: Buffer.from([2, 0, 0, 0, 9]) } }, /no program of a/],
    ["is no ELF file", { [DBC_PROGRAM]: { owner: LOADER, data: Buffer.from("MZ") } }, /no ELF file/],
  ]
  for (const [what, accounts, says] of wrong) {
    it.live(`fails when a program ${what}, and keeps nothing of it`, () =>
      Effect.gen(function* () {
        const { url } = yield* programCluster({ ...ACCOUNTS, ...accounts })
        const { kept, message = "" } = yield* cloned(url)
        assert.match(message, says)
        assert.notMatch(message, /CANARY/)
        assert.deepStrictEqual(kept, [])
      }),
    )
  }

  const answers: ReadonlyArray<readonly [what: string, status: number, text: string, says: RegExp]> = [
    ["a limit", 429, '{"error":{"code":429,"message":"CANARY"}}', /status 429/],
    ["an error", 200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32005,"message":"CANARY"}}', /is no account/],
    ["a page", 200, "<html>CANARY</html>", /is no account/],
    ["more than an account", 200, " ".repeat(17 * 1_048_576), /more than 16777216 bytes/],
  ]
  for (const [what, status, text, says] of answers) {
    it.live(`fails when the endpoint answers ${what}`, () =>
      Effect.gen(function* () {
        const url = yield* jsonServer((_, response) => void response.writeHead(status).end(text))
        const { message = "" } = yield* cloned(url)
        assert.match(message, says)
        assert.notMatch(message, /CANARY/)
      }),
    )
  }

  it.live("fails when nothing listens, or nothing answers in time", () =>
    Effect.gen(function* () {
      assert.match((yield* cloned("http://127.0.0.1:9/?api-key=CANARY")).message!, /: the endpoint does not answer$/)
      const { url } = yield* programCluster(ACCOUNTS, new Promise<void>(() => {}))
      assert.match((yield* cloned(url, "50 millis")).message!, /: not read within 50ms$/)
    }),
  )
})
