import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect, Redacted } from "effect"
import { DAMM_V2_PROGRAM, DBC_PROGRAM, METADATA_PROGRAM } from "../../src/accounts/Programs.ts"
import { jsonServer } from "../JsonServer.ts"
import { clonePrograms } from "../../src/localnet/ClonePrograms.ts"

const LOADER = "BPFLoader2111111111111111111111111111111111"
const UPGRADEABLE_LOADER = "BPFLoaderUpgradeab1e11111111111111111111111"
const PROGRAM_DATA = "4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY"

const elf = (name: string) => Buffer.concat([Buffer.from("7f454c46", "hex"), Buffer.from(name)])
const upgradeable = Buffer.concat([Buffer.from([2, 0, 0, 0]), decodeBase58(PROGRAM_DATA)!])

type Accounts = Record<string, { readonly owner: string; readonly data: Buffer }>

const ACCOUNTS: Accounts = {
  [DBC_PROGRAM]: { owner: UPGRADEABLE_LOADER, data: upgradeable },
  [PROGRAM_DATA]: { owner: UPGRADEABLE_LOADER, data: Buffer.concat([Buffer.alloc(45, 3), elf("curve")]) },
  [METADATA_PROGRAM]: { owner: LOADER, data: elf("metadata") },
  [DAMM_V2_PROGRAM]: { owner: LOADER, data: elf("amm") },
}

/** A cluster that holds these accounts and nothing else. */
const cluster = (accounts: Accounts) =>
  Effect.map(
    jsonServer<{ readonly id: unknown; readonly params: readonly [string] }>(({ id, params }, response) => {
      const account = accounts[params[0]]
      const value = account && {
        ...{ lamports: 1, executable: true, rentEpoch: 0, space: account.data.length, owner: account.owner },
        data: [account.data.toString("base64"), "base64"],
      }
      response.end(JSON.stringify({ jsonrpc: "2.0", id, result: { context: { slot: 1 }, value: value ?? null } }))
    }),
    (url) => ({ url: `${url}/?api-key=CANARY` }),
  )

const folder = Effect.acquireRelease(
  Effect.sync(() => join(mkdtempSync(join(tmpdir(), "registry-programs-")), "programs")),
  (path) => Effect.sync(() => rmSync(join(path, ".."), { recursive: true })),
)

describe("Cloning programs", () => {
  it.live("writes the file of every program without the loader's header", () =>
    Effect.gen(function* () {
      const [{ url }, into] = [yield* cluster(ACCOUNTS), yield* folder]
      const files = yield* clonePrograms(Redacted.make(url), into)
      assert.deepStrictEqual(
        files.map(({ file }) => [file, readFileSync(join(into, file), "latin1").slice(4)]),
        [
          ["dynamic_bonding_curve.so", "curve"],
          ["metaplex.so", "metadata"],
          ["cp_amm.so", "amm"],
        ],
      )
    }),
  )

  const wrong: ReadonlyArray<readonly [what: string, accounts: Accounts, says: RegExp]> = [
    ["is not there", { ...ACCOUNTS, [DBC_PROGRAM]: undefined as never }, /there is no account/],
    ["has no data account", { ...ACCOUNTS, [PROGRAM_DATA]: undefined as never }, /there is no account/],
    [
      "is of another loader",
      { ...ACCOUNTS, [DBC_PROGRAM]: { owner: PROGRAM_DATA, data: elf("x") } },
      /no program of a/,
    ],
    ["is no ELF file", { ...ACCOUNTS, [DBC_PROGRAM]: { owner: LOADER, data: Buffer.from("MZ") } }, /no ELF file/],
  ]
  for (const [what, accounts, says] of wrong) {
    it.live(`fails when a program ${what}, and writes no file for it`, () =>
      Effect.gen(function* () {
        const [{ url }, into] = [yield* cluster(accounts), yield* folder]
        const error = yield* Effect.flip(clonePrograms(Redacted.make(url), into))
        assert.match(error.message, says)
        assert.notMatch(error.message, /CANARY/)
        assert.isFalse(existsSync(join(into, "dynamic_bonding_curve.so")))
      }),
    )
  }

  it.live("fails when nothing listens", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(
        clonePrograms(Redacted.make("http://127.0.0.1:9/?api-key=CANARY"), yield* folder),
      )
      assert.match(error.message, /does not answer/)
      assert.notMatch(error.message, /CANARY/)
    }),
  )
})
