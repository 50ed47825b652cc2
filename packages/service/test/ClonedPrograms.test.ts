import { existsSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import {
  DAMM_V2_PROGRAM,
  DBC_PROGRAM,
  LOCKER_PROGRAM,
  METADATA_PROGRAM,
} from "@launch-registry/chain/accounts/Programs"
import * as kit from "@solana/kit"
import { Effect } from "effect"
import { executable, programCluster, upgradeable } from "../../chain/test/localnet/ProgramCluster.ts"
import { localService } from "./StartedService.ts"
import { untilAnswer } from "./UntilAnswer.ts"

const PROGRAMS = [DBC_PROGRAM, METADATA_PROGRAM, DAMM_V2_PROGRAM, LOCKER_PROGRAM]
const ACCOUNTS = Object.assign({}, ...PROGRAMS.map((program) => upgradeable(program, executable())))
const METADATA = { name: "First Token", symbol: "FIRST", description: "", imageUri: "https://example.com/logo.png" }

// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

const wallet = Effect.promise(async () => {
  const keys = await kit.generateKeyPair()
  const sign = (transaction: string) =>
    Effect.promise(async () => {
      const decoded = kit.getTransactionDecoder().decode(Buffer.from(transaction, "base64"))
      return kit.getBase64EncodedWireTransaction(await kit.partiallySignTransaction([keys], decoded))
    })
  return { sign, address: await kit.getAddressFromPublicKey(keys.publicKey) }
})

const posted = (url: string, body: object) =>
  Effect.promise(async () => {
    const headers = { "content-type": "application/json" }
    const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })
    return { status: answer.status, body: (await answer.json()) as Json }
  })

const warned = (url: string, isWarned: boolean) =>
  Effect.promise(() => untilAnswer(`${url}/readyz`, ({ data }) => data.warnings.length > 0 === isWarned))

describe("A local start without the programs", () => {
  it("serves while they are cloned, says what is missing, and executes launches once they are there", () =>
    Effect.gen(function* () {
      let open = () => {}
      const opened = new Promise<void>((resolve) => (open = resolve))
      const cluster = yield* programCluster(ACCOUNTS, opened)
      const { folder, running, url } = yield* localService("/none", { CLONE_PROGRAMS: cluster.url })
      yield* warned(url, true)
      assert.match(running.output(), /a stand-in .*\(cannot execute launches until their programs are cloned/)

      const { sign: signed, address } = yield* wallet
      const request = { signer: address, metadata: METADATA }
      const built = yield* posted(`${url}/api/launch/dbc-config`, request)
      assert.strictEqual(built.status, 200)
      assert.deepStrictEqual(built.body.data.missingPrograms, [DBC_PROGRAM, METADATA_PROGRAM, DAMM_V2_PROGRAM])
      assert.match(
        built.body.message,
        /It cannot land yet: .* a start with CLONE_PROGRAMS=<URL of a mainnet RPC> fetches them/,
      )
      assert.strictEqual(built.body.data.message, built.body.message)

      const transaction = yield* signed(built.body.data.transaction)
      const refused = yield* posted(`${url}/api/launch/submit`, { transaction })
      assert.deepStrictEqual([refused.status, refused.body.code], [503, "not_configured"])
      assert.match(refused.body.message, /^Launches are not configured: the local chain lacks the programs dbci/)

      open()
      yield* warned(url, false)
      const later = yield* posted(`${url}/api/launch/dbc-config`, request)
      assert.notProperty(later.body.data, "missingPrograms")
      assert.match(later.body.message, /^Sign and send/)
      assert.deepStrictEqual(readdirSync(join(folder, "programs")).toSorted(), [
        "cp_amm.so",
        "dynamic_bonding_curve.so",
        "locker.so",
        "metaplex.so",
      ])
      assert.notInclude(running.output(), "CANARY")
    }).pipe(Effect.scoped, Effect.runPromise))

  it("says in one line that they were not cloned, and goes on", () =>
    Effect.gen(function* () {
      const notElf = upgradeable(DBC_PROGRAM, Buffer.from("7f454c46636f", "hex"))
      const cluster = yield* programCluster({ ...ACCOUNTS, ...notElf })
      const { folder, running, url } = yield* localService("/none", { CLONE_PROGRAMS: cluster.url })
      const said = () => running.output().match(/.*Programs were not cloned.*/g) ?? []
      while (said().length === 0) yield* Effect.sleep(50)
      assert.match(said().join("\n"), /is no program .* the local chain lacks .*CLONE_PROGRAMS=/)
      assert.isFalse(existsSync(join(folder, "programs")))
      yield* warned(url, true)
      assert.notInclude(running.output(), "CANARY")
    }).pipe(Effect.scoped, Effect.runPromise))
})
