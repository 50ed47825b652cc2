import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { extname, join } from "node:path"
import { assert, layer } from "@effect/vitest"
import { DBC_PROGRAM } from "../../../../packages/chain/src/accounts/Programs.ts"
import { MissingPrograms } from "../../../../packages/chain/src/localnet/MissingPrograms.ts"
import { Effect, Layer } from "effect"
import { build } from "vite"
import { TestServer } from "../../../../packages/service/test/TestServer.ts"
import { openPage, withoutChromium } from "./Chromium.ts"
import { does, openApp, ownFaults, press, seen, textOf } from "./OpenApp.ts"
import { suiteBrowser } from "./SuiteBrowser.ts"

const browser = suiteBrowser("a fork of the launchpad in a browser")
const APP = join(import.meta.dirname, "../..")
const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css",
  ".html": "text/html",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
}

/** The static files of a fork that has this registry in its `brand.ts`. */
const built = (registry: string) =>
  Effect.acquireRelease(
    does(async () => {
      const outDir = mkdtempSync(join(tmpdir(), "fork-"))
      const branded = {
        name: "brand",
        enforce: "pre" as const,
        transform: (code: string, id: string) =>
          id.endsWith("/brand.ts") ? code.replace('registry: "" as string', `registry: "${registry}"`) : undefined,
      }
      await build({ root: APP, logLevel: "error", plugins: [branded], build: { outDir, emptyOutDir: true } })
      return outDir
    }),
    (folder) => Effect.sync(() => rmSync(folder, { recursive: true })),
  )

/** A host of static files, as any. */
const hosted = (folder: string) =>
  Effect.map(
    Effect.acquireRelease(
      does(
        () =>
          new Promise<Server>((resolve) => {
            const server = createServer(({ url = "/" }, response) => {
              const path = url === "/" ? "/index.html" : url
              response.setHeader("content-type", TYPES[extname(path)] ?? "text/plain")
              response.end(readFileSync(join(folder, path)))
            }).listen(0, "127.0.0.1", () => resolve(server))
          }),
      ),
      (server) => Effect.sync(() => server.close()),
    ),
    (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
  )

/** The chain lacks a program, so the app has something to warn of. */
const serving = Layer.provide(
  TestServer.layer(),
  Layer.succeed(MissingPrograms, () => [DBC_PROGRAM]),
)

layer(serving, { excludeTestServices: true })("The launchpad", (it) => {
  const test = withoutChromium === undefined ? it.effect : it.effect.skip

  test("asks a registry of another origin for nothing that its pages may not read", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const host = yield* hosted(yield* built(url))
      const { faults, page } = yield* Effect.acquireRelease(
        does(() => openPage(browser(), host)),
        (opened) => does(() => opened.page.context().close()),
      )
      yield* seen(page, "text=Live")
      yield* does(() => page.click("a:text-is('Launch')"))
      yield* seen(page, "text=Connect a wallet to launch")
      yield* seen(page, "text=CLONE_PROGRAMS")
      yield* does(() => page.click("a:text-is('Status')"))
      yield* seen(page, "text=PostgreSQL answers")
      assert.notInclude(yield* textOf(page, "main"), "RPC endpoints")
      const ours = ownFaults(faults).filter((fault) => !fault.startsWith(`another host: ${url}/`))
      assert.deepStrictEqual(ours, [])
    }).pipe(Effect.scoped))

  test("stays where the files of a page are not there any more, and loads them again", () =>
    Effect.gen(function* () {
      const { page } = yield* openApp(browser())
      yield* seen(page, "text=Live")
      yield* does(() => page.route("**/Status-*.js", (route) => route.fulfill({ status: 404 })))
      yield* does(() => page.click("a:text-is('Status')"))
      yield* seen(page, "[role=alert] >> text=This page cannot be shown")
      yield* does(() => page.click("a:text-is('Board')"))
      yield* seen(page, "text=Live")
      yield* does(() => page.click("a:text-is('Status')"))
      yield* seen(page, "text=This page cannot be shown")
      yield* does(() => page.unroute("**/Status-*.js"))
      yield* press(page, "Load it again")
      yield* seen(page, "text=RPC endpoints")
    }).pipe(Effect.scoped))
})
