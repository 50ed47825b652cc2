/**
 * `node bench/console/FirstView.ts [runs] [apart | serve | <url>...]`: milliseconds from the navigation until the header and the board's
 * rows are drawn, and until the board takes clicks, in a new browser context each (nothing cached), with the CPU slowed four times and as it is, one after the other. With
 * `apart`, each module is a file of its own, as a source checkout serves them; else they are joined as in the container image. To compare
 * two checkouts run both with `serve`, and then one of them with the URLs that they say: these are measured in turn.
 */
import { Effect } from "effect"
import type { Browser } from "playwright-core"
import { startedChromium } from "../../packages/console/test/Chromium.ts"
import { consoleServer, filledConsole, summary } from "./FilledConsole.ts"

const [runs = "9", ...others] = process.argv.slice(2)
const RUNS = Number(runs)
const MODE = others[0]
const URLS = others.filter((one) => one.startsWith("http"))
const LAUNCHES = 500
const SLOWED = 4

/**
 * In the page: the time after the frame in which a row of the document is first within the window. Nothing is drawn, and no frame
 * begins, before the style sheets are there.
 */
const NOTE_ROWS = `new MutationObserver((_, observer) => {
  const row = document.querySelector("tr[data-mint]")
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

/** In the page: when its modules had taken over, once they have. A page without rows of its own has its rows from them. */
const INTERACTIVE = `new Promise((resolve) => {
  const look = () => {
    const [mark] = performance.getEntriesByName("interactive")
    if (mark !== undefined) resolve(mark.startTime)
    else if (document.querySelector("#first-list") === null) resolve(0)
    else setTimeout(look, 50)
  }
  look()
})`

/** Milliseconds until the header is painted, until the rows are, and until the board takes clicks. */
type Drawn = readonly [first: number, rows: number, interactive: number]

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
    const noted = Number((await drawn).text().slice("drawn ".length))
    const first = Number(await page.evaluate(PAINTED))
    const rows = Math.max(first, noted)
    return [first, rows, Math.max(rows, Number(await page.evaluate(INTERACTIVE)))]
  } finally {
    await context.close()
  }
}

const NAMES = ["header", "rows", "interactive"] as const

const shown = (name: string, all: ReadonlyArray<Drawn>): string =>
  `  ${name.padEnd(14)} ${NAMES.map((what, index) => `${what}: ${summary(all.map((drawn) => drawn[index]!))}`).join("; ")}\n`

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

const ofOthers = Effect.acquireRelease(Effect.promise(startedChromium), (browser) =>
  Effect.promise(() => browser.close()),
).pipe(Effect.flatMap((browser) => Effect.promise(() => measure(browser, URLS))))

await Effect.runPromise(
  (URLS.length > 0 ? ofOthers : Effect.provide(ofThis, consoleServer(MODE === "apart" ? "apart" : "joined"))).pipe(
    Effect.scoped,
  ),
)
