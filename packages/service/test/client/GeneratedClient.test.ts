import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { noisePng } from "../NoisePng.ts"
import { sampleWallet, seededDraft, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { documentedProject, filesOn, ROOT } from "../DocumentedProject.ts"

const PAGE = "docs/client.md"
const CLIENT_FILES = filesOn(PAGE)
/** Installed as the page says, from the npm registry: the generator needs another TypeScript than the workspace has. */
const PACKAGES = [...readFileSync(join(ROOT, PAGE), "utf8").matchAll(/^npm install (?:--save-dev )?(.+)$/gm)].flatMap(
  ([, names = ""]) => names.split(" "),
)

/** The exports of `dapp.ts` that this test calls: the compiler has checked their code. */
interface Dapp {
  readonly connect: (url: string) => object
  readonly uploadLogo: (registry: object, image: Blob) => Promise<string>
  readonly launch: (
    registry: object,
    ...launch: ReadonlyArray<string>
  ) => Promise<ReadonlyArray<{ readonly transaction: string }>>
  readonly register: (registry: object, draft: object, key: string) => Promise<string>
  readonly tokensOf: (registry: object, launchpad: string, limit: number) => AsyncIterable<{ readonly name: string }>
}

const server = Layer.unwrap(Effect.map(LocalChain, ({ url: rpcUrl }) => TestServer.layer({ rpcUrl }))).pipe(
  Layer.provideMerge(LocalChain.layer({ stage: "mid" })),
)

const SOL = 1_000_000_000

/** What an operation answers alone, and what any operation may: both are known by their code. */
const NARROWED = `
import { connect as connectTo } from "./dapp.ts"
const { error } = await connectTo("http://localhost:3001").GET("/api/tokens/{id}", { params: { path: { id: "x" } } })
if (error?.code === "not_found") console.log(error.details.id satisfies string)
if (error?.code === "rate_limited") console.log(error.details.retryAfterSeconds satisfies number)
if (error?.code === "invalid_request") console.log(error.issues[0]?.path satisfies string | undefined)
// @ts-expect-error: this operation does not answer it
if (error?.code === "already_exists") console.log(error.message)
`

const airdrop = Effect.fnUntraced(function* (address: string, lamports: number) {
  const { url } = yield* LocalChain
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "requestAirdrop", params: [address, lamports] })
  const init = { method: "POST", headers: { "content-type": "application/json" }, body }
  const answer = yield* Effect.promise(() => fetch(url, init).then((response) => response.json()))
  assert.property(answer, "result")
})

const faultOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "",
    (error: Error) => error.message,
  )

layer(server, { excludeTestServices: true })("The client of docs/client.md", (it) => {
  it.effect("compiles against the served document with strict settings, and does what a dApp does", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const source = CLIENT_FILES.get("dapp.ts") ?? ""
      assert.notMatch(source, /\bany\b|\bas\b(?! const)|@ts-|!\./, "the client goes round its types")
      const openApi = yield* Effect.promise(() => fetch(`${url}/openapi.json`).then((response) => response.text()))
      const project = yield* documentedProject(CLIENT_FILES)
      const install = ["install", "--no-audit", "--no-fund", ...PACKAGES]
      yield* Effect.promise(() => promisify(execFile)("npm", install, { cwd: project.folder }))
      yield* project.write("openapi.json", openApi)
      const main = CLIENT_FILES.get("main.ts") ?? ""
      yield* project.write("main.ts", `${main}${NARROWED}`)
      assert.deepStrictEqual(yield* project.node("generate.mjs"), { isDone: true, text: "" })
      assert.deepStrictEqual(yield* project.node("node_modules/typescript/bin/tsc"), { isDone: true, text: "" })

      const dapp = (yield* project.load("dapp.ts")) as Dapp
      const registry = dapp.connect(url)
      const image = new Blob([Uint8Array.from(noisePng(1, 8))], { type: "image/png" })
      const imageUri = yield* Effect.promise(() => dapp.uploadLogo(registry, image))
      const launched = (signer: string) => dapp.launch(registry, signer, "Client Token", "CLNT", imageUri)
      const unfunded = faultOf(launched(sampleWallet()))
      assert.match(yield* Effect.promise(() => unfunded), /^The wallet lacks \d+ lamports$/)
      const creator = sampleWallet()
      yield* airdrop(creator, SOL)
      assert.lengthOf(yield* Effect.promise(() => launched(creator)), 2)

      const mint = SEEDED_MINTS.spl
      const id = yield* Effect.promise(() => dapp.register(registry, seededDraft(mint), "key-of-a-dapp"))
      for (const key of ["key-of-a-dapp", "another-key-of-it"])
        assert.strictEqual(yield* Effect.promise(() => dapp.register(registry, seededDraft(mint), key)), id)
      const misspelt = dapp.register(registry, { ...tokenDraft(), mintAddress: "x" }, "key-of-a-fault")
      assert.match(yield* Effect.promise(() => faultOf(misspelt)), /^body\.mintAddress: expected a Solana address/)

      const names = ["First", "Second", "Third"]
      for (const name of names)
        yield* Effect.promise(() =>
          dapp.register(registry, tokenDraft({ name, launchpad: "launchpad_b" }), `key-of-${name}`),
        )
      const listed: Array<string> = []
      yield* Effect.promise(async () => {
        for await (const { name } of dapp.tokensOf(registry, "launchpad_b", 2)) listed.push(name)
      })
      assert.deepStrictEqual(listed, names.toReversed())
      yield* project.write("main.ts", main.replace("http://localhost:3001", url))
      const listing = yield* project.node("main.ts")
      assert.isTrue(listing.isDone && listing.text.includes(mint), listing.text)
    }),
  )
})
