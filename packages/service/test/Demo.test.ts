import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import { Effect } from "effect"
import { announcedChain, answering, freePort, run } from "./RunningService.ts"

const DEMO = join(import.meta.dirname, "../../../demo/main.ts")
const FAUCET = join(import.meta.dirname, "../../../demo/faucet.ts")
const PROGRAMS = join(import.meta.dirname, "../../../programs")
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so", "cp_amm.so"].every((file) =>
  existsSync(join(PROGRAMS, file)),
)
const WALLET = "4ouPNnXt2xqrcJNreedepDoFpkERGaGhPNRJ5Y8GsAwh"

const service = (programsFolder: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "registry-demo-"))
      const port = await freePort()
      const api = `http://127.0.0.1:${port}`
      const environment = {
        DATA_FOLDER: withNewCluster(folder),
        PORT: String(port),
        LOCAL_CHAIN_PORT: String(await freePort()),
      }
      const running = run({ ...environment, PROGRAMS_FOLDER: programsFolder })
      await answering(running, api)
      return { folder, running, api, chain: await announcedChain(running) }
    }),
    ({ folder, running }) =>
      Effect.promise(async () => {
        running.process.kill("SIGTERM")
        await running.ended
        rmSync(folder, { recursive: true, force: true })
      }),
  )

interface Ended {
  readonly code: number | null
  readonly output: string
  readonly errors: string
}

/** Runs a command to its end. */
const command = (file: string, ...options: ReadonlyArray<string>) =>
  Effect.promise(
    () =>
      new Promise<Ended>((resolve) => {
        const child = spawn(process.execPath, [file, ...options], { stdio: ["ignore", "pipe", "pipe"] })
        let [output, errors] = ["", ""]
        child.stdout.on("data", (chunk) => (output += chunk))
        child.stderr.on("data", (chunk) => (errors += chunk))
        child.on("close", (code) => resolve({ code, output, errors }))
      }),
  )

describe("The demo", () => {
  it.live.skipIf(!hasPrograms)("launches, trades and graduates tokens, and the index has every trade", () =>
    Effect.gen(function* () {
      const { api, chain } = yield* service(PROGRAMS)
      const few = ["--launches", "2", "--wallets", "3", "--trades", "10", "--rate", "100"]
      const { code, errors, output } = yield* command(DEMO, "--api", api, "--chain", chain, ...few)
      assert.deepStrictEqual({ code, errors }, { code: 0, errors: "" }, output)
      assert.match(output, /^3 wallets have 100 SOL each$/m)
      assert.match(output, /^HARB graduated to [1-9A-HJ-NP-Za-km-z]{32,44}$/m)
      const counts = [...output.matchAll(/^(HARB|LANT): (\d+) trades(?:, graduated)?; (\d+) of them indexed$/gm)]
      assert.deepStrictEqual(
        counts.map(([, symbol]) => symbol),
        ["HARB", "LANT"],
      )
      for (const [, symbol, made, indexed] of counts) assert.strictEqual(indexed, made, symbol)
    }).pipe(Effect.scoped),
  )

  it.live("says so where the local chain has no DBC program; the faucet gives SOL all the same", () =>
    Effect.gen(function* () {
      const { api, chain, folder } = yield* service("/none")
      const { code, errors } = yield* command(DEMO, "--api", api, "--chain", chain)
      assert.strictEqual(code, 1)
      assert.include(errors, "cannot execute DBC transactions: the DBC program is not loaded")
      assert.notInclude(errors, folder)

      const given = yield* command(FAUCET, WALLET, "1.5", chain)
      assert.deepInclude(given, { code: 0, errors: "" })
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getBalance", params: [WALLET] })
      const balance = yield* Effect.promise(() =>
        fetch(chain, { method: "POST", headers: { "content-type": "application/json" }, body }).then(
          (response) => response.json() as Promise<{ readonly result: { readonly value: number } }>,
        ),
      )
      assert.strictEqual(balance.result.value, 1_500_000_000)
    }).pipe(Effect.scoped),
  )

  it.live("names what is wrong with its options, and what does not answer", () =>
    Effect.gen(function* () {
      const nobody = `http://127.0.0.1:${yield* Effect.promise(freePort)}`
      const cases = [
        [DEMO, ["--rate", "0"], 2, "--rate: expected a number from 0.1 to 100"],
        [DEMO, ["--launches", "1.5"], 2, "--launches: expected a number from 1 to 100"],
        [DEMO, ["--api", "nowhere"], 2, "--api: expected a URL"],
        [DEMO, ["--speed", "2"], 2, "--speed"],
        [DEMO, ["--api", nobody], 1, `No service answers at ${nobody}`],
        [FAUCET, ["nobody"], 2, "expected the address of a wallet"],
        [FAUCET, [WALLET, "10001"], 2, "expected the address of a wallet"],
        [FAUCET, [WALLET, "0"], 2, "expected the address of a wallet"],
        [FAUCET, [WALLET, "1", nobody], 1, `No airdrop by ${nobody}`],
      ] as const
      for (const [file, options, code, message] of cases) {
        const ended = yield* command(file, ...options)
        assert.strictEqual(ended.code, code, ended.errors)
        assert.include(ended.errors, message)
      }
    }),
  )
})
