import { parseArgs } from "node:util"
import { Array as Arr, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SEEDED_MINTS } from "../../packages/chain/src/localnet/SeedAccounts.ts"
import { openPage } from "../../packages/console/test/Chromium.ts"
import { candlesOf, ordinalOf, sampleTrade } from "../../packages/server/test/launch/IndexedTrades.ts"
import { SQRT_PRICE, tradeLive } from "./LiveTrades.ts"
import { type Browser, does, INSERTED_AT_ONCE, say, withConsole } from "./ServedConsole.ts"

/**
 * Frames a second of the console's token screen in Chromium, by requestAnimationFrame, with a candle for each of many trades and live
 * trades by the stream; and how many of them there were. Chromium draws 60 at most.
 */
const { values } = parseArgs({
  options: {
    trades: { type: "string", default: "10000" },
    rates: { type: "string", default: "0,20,100" },
    seconds: { type: "string", default: "10" },
  },
})
const [TRADES, SECONDS] = [Number(values.trades), Number(values.seconds)]
const RATES = values.rates.split(",").map(Number)
const MINT = SEEDED_MINTS.spl
const MINUTE = 60_000

/** A trade in each of the last minutes: as many candles. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const first = Math.floor(Date.now() / MINUTE - TRADES) * MINUTE
  const trades = Array.from({ length: TRADES }, (_, index) =>
    sampleTrade({
      ...{ baseMint: MINT, ordinal: ordinalOf(300_000_000n + BigInt(index)) },
      nextSqrtPrice: String(SQRT_PRICE + (SQRT_PRICE / 1_000n) * BigInt((index * 37) % 211)),
      blockTime: new Date(first + index * MINUTE),
    }),
  )
  const candles = candlesOf(trades, 60).map(
    ({ baseVolume, first: opening, high, last, low, quoteVolume, start, trades: count }) => ({
      ...{ baseMint: MINT, seconds: 60, bucket: start, firstOrdinal: opening.ordinal, lastOrdinal: last.ordinal },
      ...{ open: opening.nextSqrtPrice, close: last.nextSqrtPrice, high: String(high), low: String(low) },
      ...{ baseVolume: String(baseVolume), quoteVolume: String(quoteVolume), trades: count },
    }),
  )
  for (const rows of Arr.chunksOf(
    trades.map((trade) => ({ ...trade })),
    INSERTED_AT_ONCE,
  ))
    yield* sql`insert into trades ${sql.insert(rows)}`
  for (const rows of Arr.chunksOf(candles, INSERTED_AT_ONCE)) yield* sql`insert into candles ${sql.insert(rows)}`
})

/** Frames and the longest wait for one, over so many seconds. */
const FRAMES = `new Promise((resolve) => {
  const start = performance.now()
  let [frames, longest, last] = [0, 0, start]
  const frame = (now) => {
    frames++
    longest = Math.max(longest, now - last)
    last = now
    if (now - start < ${SECONDS * 1_000}) requestAnimationFrame(frame)
    else resolve({ frames: frames / ((now - start) / 1000), longest })
  }
  requestAnimationFrame(frame)
})`

const measure = Effect.fnUntraced(function* (browser: Browser, url: string) {
  yield* fill
  const { faults, page } = yield* does(() => openPage(browser, `${url}/console#/token/${MINT}`))
  yield* does(() => page.click(".choice >> text=1m"))
  const count = does(() => page.getAttribute(".canvas", "data-candles")).pipe(Effect.map(Number))
  // The chart asks for older ones until it has all.
  while ((yield* count) < TRADES) {
    yield* does(() => page.click("text=Earlier"))
    yield* Effect.sleep("5 millis")
  }
  const views = {
    "the latest candles": () => page.click(".under >> text=Latest"),
    "as many as fit": async () => {
      await page.hover(".canvas")
      for (let turns = 0; turns < 60; turns++) await page.mouse.wheel(0, 400)
    },
  }
  for (const [view, show] of Object.entries(views)) {
    yield* does(show)
    for (const rate of RATES) {
      const live = yield* Effect.forkChild(rate === 0 ? Effect.never : tradeLive([MINT], rate))
      yield* Effect.sleep("2 seconds")
      const { frames, longest } = yield* does(() => page.evaluate<{ frames: number; longest: number }>(FRAMES))
      yield* Fiber.interrupt(live)
      say(`${view}, ${rate} trades/s: ${frames.toFixed(1)} frames/s, longest wait ${longest.toFixed(0)} ms`)
    }
  }
  // The token is not registered: Chromium itself says what was answered with 404.
  const meant = faults.filter((fault) => !fault.includes("404"))
  say(`${yield* count} candles; faults: ${meant.length === 0 ? "none" : meant.join("; ")}`)
})

await withConsole(measure)
