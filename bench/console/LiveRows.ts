/**
 * `node bench/console/LiveRows.ts [trades a second] [seconds]`: share of a core that the page's process takes for a board of 500 rows while trades of
 * them arrive by the stream, and for the same page while none do.
 */
import { Effect } from "effect"
import type { Browser, CDPSession, Page } from "playwright-core"
import { commitChanges, sampleChange } from "../../packages/server/test/stream/IndexChanges.ts"
import { consoleServer, filledConsole } from "./FilledConsole.ts"

const PER_SECOND = Number(process.argv[2] ?? 20)
const SECONDS = Number(process.argv[3] ?? 20)
const ROWS = 500
const PAGE = 100
const BATCHES = 10

const openRows = async (browser: Browser, url: string): Promise<Page> => {
  const page = await browser.newPage()
  await page.goto(`${url}/console`)
  for (let rows = PAGE; ; rows += PAGE) {
    await page
      .locator("tr[data-mint]")
      .nth(rows - 1)
      .waitFor()
    if (rows >= ROWS) return page
    await page.click("text=More")
  }
}

/** Seconds of CPU that the processes of pages have taken. */
const cpuOf = async (session: CDPSession): Promise<number> => {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo")
  return processInfo.filter(({ type }) => type === "renderer").reduce((sum, { cpuTime }) => sum + cpuTime, 0)
}

const measure = Effect.gen(function* () {
  const { browser, newest, url } = yield* filledConsole(2 * ROWS)
  yield* Effect.promise(() => openRows(browser, url))
  const session = yield* Effect.promise(() => browser.newBrowserCDPSession())
  // Every trade has another price, so that its row changes.
  let made = 0
  const share = Effect.fnUntraced(function* (name: string, perSecond: number) {
    const begun = performance.now()
    const before = yield* Effect.promise(() => cpuOf(session))
    const begunAt = made
    while (performance.now() - begun < SECONDS * 1_000) {
      const due = Math.floor(((performance.now() - begun) / 1_000) * perSecond) - (made - begunAt)
      if (due > 0) {
        yield* commitChanges(
          ...Array.from({ length: due }, (_, index) => {
            const { baseMint, pool } = newest[((made + index) * 7) % newest.length]!
            const sqrtPrice = String(98_362_933_813_224_380n + BigInt(made + index) * 10n ** 12n)
            const fields = { pool, sqrtPrice, quoteReserve: String((made + index) * 1_000_000) }
            return sampleChange("trade", baseMint, { ...fields, time: new Date().toISOString() })
          }),
        )
        made += due
      }
      yield* Effect.sleep(1_000 / BATCHES)
    }
    const after = yield* Effect.promise(() => cpuOf(session))
    const percent = ((after - before) / ((performance.now() - begun) / 1_000)) * 100
    process.stdout.write(`  ${name.padEnd(24)} ${percent.toFixed(1)} % of a core, ${made - begunAt} trades\n`)
  })
  process.stdout.write(`A board of ${ROWS} rows, ${SECONDS} seconds each\n`)
  for (let round = 0; round < 3; round++) {
    yield* share("without trades", 0)
    yield* share(`${PER_SECOND} trades a second`, PER_SECOND)
  }
})

await Effect.runPromise(measure.pipe(Effect.scoped, Effect.provide(consoleServer())))
