import { type ChildProcess, spawn } from "node:child_process"
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { build } from "vite"
import {
  closePages,
  noteSkipped,
  openPage,
  startedChromium,
  withoutChromium,
} from "../../../../apps/launchpad/test/browser/Chromium.ts"
import { indexPool } from "../../../server/test/launch/IndexedTrades.ts"
import { compareAll } from "../../../server/test/launch/ManyLaunches.ts"
import { commitChanges, sampleChange } from "../../../server/test/stream/IndexChanges.ts"
import { SOL, sampleAddress } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const EXAMPLES = join(import.meta.dirname, "../../../client/examples")
/** Of the catalog: that of the machine may not run TypeScript, which the examples import in a checkout. */
const NODE = join(import.meta.dirname, "../../../../node_modules/.bin/node")

/** What a process prints. */
const outputOf = (child: ChildProcess) => {
  let text = ""
  const looks = new Set<() => void>()
  const add = (chunk: Buffer) => {
    text += chunk.toString()
    for (const look of looks) look()
  }
  child.stdout!.on("data", add)
  child.stderr!.on("data", add)
  /** All of it, once it has this; fails when the process ends before. */
  const until = (pattern: RegExp) =>
    Effect.promise(
      () =>
        new Promise<string>((resolve, reject) => {
          const look = () => {
            if (pattern.test(text)) resolve(text)
          }
          looks.add(look)
          look()
          child.once("exit", (code) => reject(new Error(`exit ${code}: ${text}`)))
        }),
    )
  return { until }
}

const exited = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.once("exit", resolve))

/** The built page, served as any host of files would. */
const builtPage = Effect.gen(function* () {
  const folder = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-page-"))),
    (made) => Effect.sync(() => rmSync(made, { recursive: true })),
  )
  const root = join(EXAMPLES, "page")
  yield* Effect.promise(() => build({ root, logLevel: "error", configFile: false, build: { outDir: folder } }))
  const server = yield* Effect.acquireRelease(
    Effect.promise(
      () =>
        new Promise<Server>((resolve) => {
          const made = createServer(({ url = "/" }, response) => {
            const path = new URL(url, "http://page").pathname
            const known = globSync("**/*.{html,js}", { cwd: folder }).find((file) => path === `/${file}`)
            const type = path.endsWith(".js") ? "text/javascript" : "text/html"
            if (known === undefined) response.writeHead(204).end()
            else response.writeHead(200, { "content-type": type }).end(readFileSync(join(folder, known)))
          }).listen(0, "127.0.0.1", () => resolve(made))
        }),
    ),
    (made) => Effect.sync(() => (made.closeAllConnections(), made.close())),
  )
  return { folder, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
})

/** The mint of a launch that is in the index. */
const indexed = Effect.gen(function* () {
  const mint = sampleAddress()
  yield* indexPool(mint, { config: sampleAddress(), quoteMint: SOL, decimals: 6 })
  yield* compareAll
  return mint
})

/** It is named, traded and graduates, on the stream. */
const happens = Effect.fnUntraced(function* (mint: string) {
  yield* commitChanges(sampleChange("token", mint, { name: "Arriving", symbol: "ARRV" }))
  yield* commitChanges(sampleChange("trade", mint))
  yield* commitChanges(sampleChange("graduation", mint))
})

layer(TestServer.layer(), { excludeTestServices: true })("The client's examples", (it) => {
  it.effect("in Node.js print launches and trades until they are stopped", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const mint = yield* indexed
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => spawn(NODE, [join(EXAMPLES, "watch.mjs"), url])),
        (started) => Effect.sync(() => void started.kill("SIGKILL")),
      )
      const { until } = outputOf(child)
      const before = yield* until(/Following trades/)
      assert.include(before, `${mint} curve`)
      yield* happens(mint)
      assert.match(yield* until(/GRADUATED/), /LAUNCH ARRV .+\nBUY ARRV at .+\nGRADUATED ARRV/)
      const stopped = exited(child)
      child.kill("SIGINT")
      assert.strictEqual(yield* Effect.promise(() => stopped), 0)
    }).pipe(Effect.scoped),
  )

  it.effect("for browsers are built by Vite into files that need nothing else", () =>
    Effect.gen(function* () {
      const { folder } = yield* builtPage
      const scripts = globSync("**/*.js", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"))
      assert.lengthOf(scripts, 1)
      assert.include(scripts[0]!, "/api/launch/pools")
      assert.notMatch(scripts[0]!, /\bimport\b\s*["'{]|@launch-registry/)
    }).pipe(Effect.scoped),
  )

  const inBrowser = withoutChromium === undefined ? it.effect : it.effect.skip
  noteSkipped("the client's page in a browser")
  inBrowser("in a browser show launches and their prices as they arrive, and say why nothing is bought", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const mint = yield* indexed
      const other = yield* builtPage
      const browser = yield* Effect.acquireRelease(Effect.promise(startedChromium), () => Effect.promise(closePages))
      const { faults, page } = yield* Effect.promise(() =>
        openPage(browser, `${other.url}/index.html?registry=${encodeURIComponent(url)}`),
      )
      yield* Effect.promise(() => page.waitForSelector("text=Live"))
      const row = page.locator(`li:has([title="${mint}"])`)
      assert.match(yield* Effect.promise(() => row.innerText()), /Buy for 0\.01 SOL/)
      yield* happens(mint)
      yield* Effect.promise(() => row.locator("span", { hasText: /\d/ }).waitFor())
      yield* Effect.promise(() => row.locator("button").click())
      yield* Effect.promise(() => page.waitForSelector("text=This browser has no wallet of Wallet Standard"))
      assert.deepStrictEqual(
        faults.filter((fault) => fault !== `another host: ${url}` && !fault.startsWith(`another host: ${url}/`)),
        [],
      )
    }).pipe(Effect.scoped),
  )
})
