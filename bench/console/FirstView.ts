/**
 * `node bench/console/FirstView.ts [runs] [apart | serve | <url>...]`: milliseconds from the navigation until the header and the board's
 * rows are drawn, in a new browser context each (nothing cached), with the CPU slowed four times and as it is, one after the other. With
 * `apart`, each module is a file of its own, as a source checkout serves them; else they are joined as in the container image. To compare
 * two checkouts run both with `serve`, and then one of them with the URLs that they say: these are measured in turn.
 */
import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { startChromium } from "../../packages/console/test/Chromium.ts"
import { consoleServer, filledConsole, summary } from "./FilledConsole.ts"

const [runs = "9", ...others] = process.argv.slice(2)
const RUNS = Number(runs)
const MODE = others[0]
const URLS = others.filter((one) => one.startsWith("http"))
const LAUNCHES = 500
const SLOWED = 4

/** In the page: the time of the frame after the first row is in the document. */
const NOTE_ROWS = `new MutationObserver((_, observer) => {
  if (document.querySelector("tr[data-mint]") === null) return
  observer.disconnect()
  requestAnimationFrame(() => setTimeout(() => console.info("drawn", performance.now())))
}).observe(document, { childList: true, subtree: true })`

/** Milliseconds until the header is painted, and until the rows are. */
type Drawn = readonly [first: number, rows: number]

const drawnAfter = async (browser: Browser, url: string, rate: number): Promise<Drawn> => {
  const context = await browser.newContext()
  try {
    const page = await context.newPage()
    await page.addInitScript(NOTE_ROWS)
    const session = await context.newCDPSession(page)
    await session.send("Emulation.setCPUThrottlingRate", { rate })
    // A selector to wait for would be Playwright's own script in the page meanwhile.
    const drawn = page.waitForEvent("console", (message) => message.text().startsWith("drawn "))
    await page.goto(`${url}/console`)
    const rows = Number((await drawn).text().slice("drawn ".length))
    const first = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    return [Number(await page.evaluate(first)), rows]
  } finally {
    await context.close()
  }
}

const shown = (name: string, all: ReadonlyArray<Drawn>): string =>
  `  ${name.padEnd(14)} header: ${summary(all.map(([first]) => first))}; rows: ${summary(all.map(([, rows]) => rows))}\n`

const measure = async (browser: Browser, urls: ReadonlyArray<string>): Promise<void> => {
  const drawn = urls.map((url) => ({ url, slowed: [] as Array<Drawn>, whole: [] as Array<Drawn> }))
  for (const url of urls) await drawnAfter(browser, url, 1)
  for (let run = 0; run < RUNS; run++)
    for (const { slowed, url, whole } of drawn) {
      slowed.push(await drawnAfter(browser, url, SLOWED))
      whole.push(await drawnAfter(browser, url, 1))
    }
  for (const { slowed, url, whole } of drawn)
    process.stdout.write(`${url}: milliseconds since the navigation, ${RUNS} runs each
${shown(`CPU slowed ${SLOWED}x`, slowed)}${shown("CPU as it is", whole)}`)
}

const ofThis = Effect.gen(function* () {
  const { browser, url } = yield* filledConsole(LAUNCHES)
  if (MODE === "serve") {
    process.stdout.write(`${url}\n`)
    return yield* Effect.never
  }
  yield* Effect.promise(() => measure(browser, [url]))
})

const ofOthers = Effect.acquireRelease(Effect.promise(startChromium), (browser) =>
  Effect.promise(() => browser.close()),
).pipe(Effect.flatMap((browser) => Effect.promise(() => measure(browser, URLS))))

await Effect.runPromise(
  (URLS.length > 0 ? ofOthers : Effect.provide(ofThis, consoleServer(MODE === "apart" ? "apart" : "joined"))).pipe(
    Effect.scoped,
  ),
)
