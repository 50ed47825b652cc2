import { existsSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { commandOutput } from "./CommandOutput.ts"
import { freePort } from "./RunningService.ts"
import { localService } from "./StartedService.ts"

const DEMO = join(import.meta.dirname, "../../../demo/main.ts")
const FAUCET = join(import.meta.dirname, "../../../demo/faucet.ts")
const PROGRAMS = join(import.meta.dirname, "../../../programs")
const hasPrograms = ["dynamic_bonding_curve.so", "metaplex.so", "cp_amm.so"].every((file) =>
  existsSync(join(PROGRAMS, file)),
)
const WALLET = "4ouPNnXt2xqrcJNreedepDoFpkERGaGhPNRJ5Y8GsAwh"

/** Runs a command to its end. */
const command = (file: string, ...options: ReadonlyArray<string>) => Effect.promise(() => commandOutput(file, options))

describe("The demo", () => {
  it.live.skipIf(!hasPrograms)("launches, trades and graduates tokens, and the index has every trade", () =>
    Effect.gen(function* () {
      const { chainUrl: chain, url: api } = yield* localService(PROGRAMS)
      const few = ["--launches", "2", "--wallets", "3", "--trades", "10", "--rate", "100"]
      const { code, err, out } = yield* command(DEMO, "--api", api, "--chain", chain, ...few)
      assert.deepStrictEqual({ code, err }, { code: 0, err: "" }, out)
      assert.match(out, /^3 wallets have 100 SOL each$/m)
      assert.match(out, /^HARB graduated to [1-9A-HJ-NP-Za-km-z]{32,44}$/m)
      const counts = [...out.matchAll(/^(HARB|LANT): (\d+) trades(?:, graduated)?; (\d+) of them indexed$/gm)]
      assert.deepStrictEqual(
        counts.map(([, symbol]) => symbol),
        ["HARB", "LANT"],
      )
      for (const [, symbol, made, indexed] of counts) assert.strictEqual(indexed, made, symbol)
      const [shared] = /^  http.*\/t\/.*$/m.exec(out) ?? []
      const page = yield* Effect.promise(async () => (await fetch(shared!.trim())).text())
      assert.match(page, /og:title[^>]*HARB/)
      const images = yield* Effect.promise(() =>
        fetch(`${api}/api/tokens?include=market`).then(async (response) => {
          const { data } = (await response.json()) as {
            readonly data: ReadonlyArray<{ readonly market: { readonly imageUri: string } }>
          }
          return data.map(({ market }) => market.imageUri)
        }),
      )
      assert.strictEqual(new Set(images).size, 2)
      for (const uri of images) {
        const image = yield* Effect.promise(() => fetch(uri))
        assert.strictEqual(image.headers.get("content-type"), "image/png")
      }
    }).pipe(Effect.scoped),
  )

  it.live("says so where the local chain has no DBC program; the faucet gives SOL all the same", () =>
    Effect.gen(function* () {
      const { chainUrl: chain, folder, url: api } = yield* localService("/none")
      const { code, err } = yield* command(DEMO, "--api", api, "--chain", chain)
      assert.strictEqual(code, 1)
      assert.include(err, "cannot execute DBC transactions: the DBC program is not loaded")
      assert.notInclude(err, folder)

      const given = yield* command(FAUCET, WALLET, "1.5", chain)
      assert.deepInclude(given, { code: 0, err: "" })
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
        [DEMO, ["--api", nobody], 1, `No service answers at ${nobody}`],
        [FAUCET, [WALLET, "10001"], 2, "expected the address of a wallet"],
        [FAUCET, [WALLET, "1", nobody], 1, `No airdrop by ${nobody}`],
      ] as const
      for (const [file, options, code, message] of cases) {
        const ended = yield* command(file, ...options)
        assert.strictEqual(ended.code, code, ended.err)
        assert.include(ended.err, message)
      }
    }),
  )
})
