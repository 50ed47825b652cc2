import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import * as Migrate from "@launch-registry/migrations/Migrate"
import * as Database from "@launch-registry/postgres/Database"
import { embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { ofProcess } from "@launch-registry/postgres/SharedClock"
import { Effect, Layer } from "effect"
import type { Browser } from "playwright-core"
import { startedChromium, withoutChromium } from "../../apps/launchpad/test/browser/Chromium.ts"
import { compareAll, manyLaunches } from "../../packages/server/test/launch/ManyLaunches.ts"
import { TestServer } from "../../packages/service/test/TestServer.ts"
import { median, quantile } from "../Quantiles.ts"

/**
 * Milliseconds from the navigation until the header and the board's rows are drawn, how long tasks blocked the page and how much moved, and the same of the
 * title and the first operation of /docs, in a new browser context each (nothing cached), with the CPU slowed four times and as it is, in turn. With `--serve` the service runs on and says its
 * URL; with `--urls <url>,<url>` such services, perhaps of two checkouts, are measured in turn.
 */
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "9" },
    serve: { type: "boolean", default: false },
    urls: { type: "string", default: "" },
  },
})
const LAUNCHES = 500
const SLOWED = 4
const PAGES = ["/console", "/docs"]

/**
 * In the page: the time after the frame in which a row of the document is first within the window. Nothing is drawn, and no frame
 * begins, before the style sheets are there.
 */
const NOTE_ROWS = `new MutationObserver((_, observer) => {
  const row = document.querySelector("[data-mint], summary code b")
  if (row === null) return
  observer.disconnect()
  requestAnimationFrame(() => {
    const { height, top } = row.getBoundingClientRect()
    if (height === 0 || top > innerHeight) throw new Error("The row is not seen")
    setTimeout(() => console.info("drawn", performance.now()))
  })
}).observe(document, { childList: true, subtree: true })`

/** In the page: when anything of it was first painted, once it is known. */
const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    for (const { name, startTime } of list.getEntries()) if (name === "first-contentful-paint") resolve(startTime)
  }).observe({ type: "paint", buffered: true })
})`

/** In the page, from its first moment: how much moved of what was painted, and how long tasks took beyond 50 ms each. */
const NOTE_REST = `globalThis.rest = { shift: 0, blocked: 0 }
new PerformanceObserver((list) => {
  for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) rest.shift += value
}).observe({ type: "layout-shift", buffered: true })
new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) rest.blocked += Math.max(0, duration - 50)
}).observe({ type: "longtask", buffered: true })`

/** Milliseconds until the header is painted, until the rows are, how long tasks blocked it, and how much moved, in thousandths. */
type Drawn = readonly [header: number, rows: number, blocked: number, shift: number]

/** How long the page is looked at after its rows. */
const LOOKED_MILLIS = 2_000

const drawnAfter = async (browser: Browser, url: string, rate: number): Promise<Drawn> => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.addInitScript(NOTE_REST)
    await page.addInitScript(NOTE_ROWS)
    const session = await context.newCDPSession(page)
    await session.send("Emulation.setCPUThrottlingRate", { rate })
    // A selector to wait for would be Playwright's own script in the page meanwhile.
    const drawn = page.waitForEvent("console", (message) => message.text().startsWith("drawn "))
    await page.goto(url)
    const noted = Number((await drawn).text().slice("drawn ".length))
    const header = Number(await page.evaluate(PAINTED))
    await new Promise((resolve) => setTimeout(resolve, LOOKED_MILLIS))
    const { blocked, shift } = await page.evaluate<{ readonly blocked: number; readonly shift: number }>("rest")
    return [header, Math.max(header, noted), blocked, shift * 1_000]
  } finally {
    await context.close()
  }
}

const measure = async (browser: Browser, urls: ReadonlyArray<string>): Promise<void> => {
  const pages = urls.flatMap((url) => PAGES.map((path) => `${url}${path}`))
  const all = pages.flatMap((url) => [SLOWED, 1].map((rate) => ({ url, rate, drawn: new Array<Drawn>() })))
  for (const url of pages) await drawnAfter(browser, url, 1)
  for (let run = 0; run < Number(values.runs); run++)
    for (const { drawn, rate, url } of all) drawn.push(await drawnAfter(browser, url, rate))
  process.stdout.write(
    "| median, most, ms | first paint | rows | blocked | shift, thousandths |\n|---|---:|---:|---:|---:|\n",
  )
  for (const { drawn, rate, url } of all) {
    const cells = [0, 1, 2, 3].map((at) => {
      const millis = drawn.map((one) => one[at]!)
      return `${median(millis).toFixed(0)}, ${quantile(millis, 1).toFixed(0)}`
    })
    process.stdout.write(`| ${url}, CPU slowed ${rate}x | ${cells.join(" | ")} |\n`)
  }
}

/** A database in a folder that is deleted afterwards. */
const database = Layer.unwrap(
  Effect.gen(function* () {
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "registry-console-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true, force: true })),
    )
    const { address } = yield* embeddedPostgres({ folder })
    return Layer.provideMerge(Migrate.layer, Database.layer(address))
  }),
).pipe(Layer.orDie, Layer.provideMerge(ofProcess))

/** A service with so many launches. */
const filled = TestServer.layer({ database })

const measureOurs = Effect.gen(function* () {
  const { url } = yield* TestServer
  yield* manyLaunches(LAUNCHES)
  yield* compareAll
  if (values.serve) {
    process.stdout.write(`${url}\n`)
    return yield* Effect.never
  }
  yield* measureAll([url])
})

const measureAll = (urls: ReadonlyArray<string>) =>
  Effect.acquireRelease(Effect.promise(startedChromium), (browser) => Effect.promise(() => browser.close())).pipe(
    Effect.flatMap((browser) => Effect.promise(() => measure(browser, urls))),
  )

if (withoutChromium !== undefined && !values.serve) throw new Error(withoutChromium)
const urls = values.urls.split(",").filter((url) => url !== "")
await Effect.runPromise(Effect.scoped(urls.length > 0 ? measureAll(urls) : Effect.provide(measureOurs, filled)))
