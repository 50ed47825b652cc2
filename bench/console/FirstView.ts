import { parseArgs } from "node:util"
import { Effect } from "effect"
import { openPage } from "../../packages/console/test/Chromium.ts"
import { type Browser, does, say, withConsole } from "./ServedConsole.ts"

/** How soon the console's first view is drawn with the processor slowed, from the request of the page on, with an empty cache. */
const { values } = parseArgs({
  options: { slowed: { type: "string", default: "4" }, rounds: { type: "string", default: "10" } },
})
const [SLOWED, ROUNDS] = [Number(values.slowed), Number(values.rounds)]

/** When the shell was painted first, and when the board said what it has; milliseconds. */
const DRAWN = `new Promise((resolve) => {
  const look = () => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime
    if (paint === undefined || document.querySelector("main .live, main .stale, main table") === null)
      return requestAnimationFrame(look)
    resolve({ paint, board: performance.now() })
  }
  look()
})`

const measure = Effect.fnUntraced(function* (browser: Browser, url: string) {
  const all: Array<{ readonly paint: number; readonly board: number }> = []
  for (let round = 0; round <= ROUNDS; round++) {
    const { page } = yield* does(() => openPage(browser, "about:blank"))
    const session = yield* does(() => page.context().newCDPSession(page))
    yield* does(() => session.send("Emulation.setCPUThrottlingRate", { rate: SLOWED }))
    yield* does(() => page.goto(`${url}/console`, { waitUntil: "commit" }))
    const drawn = yield* does(() => page.evaluate<{ paint: number; board: number }>(DRAWN))
    // The first warms the service up.
    if (round > 0) all.push(drawn)
    yield* does(() => page.context().close())
  }
  for (const name of ["paint", "board"] as const) {
    const sorted = all.map((one) => one[name]).toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)]!
    say(`${name}: median ${median.toFixed(0)} ms, slowest ${sorted.at(-1)!.toFixed(0)} ms of ${ROUNDS}`)
  }
})

await withConsole(measure)
