import { parseArgs } from "node:util"
import { Array as Arr, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { openPage } from "../../packages/console/test/Chromium.ts"
import { sampleAddress, SOL } from "../../packages/service/test/Samples.ts"
import { tradeLive } from "./LiveTrades.ts"
import { type Browser, does, INSERTED_AT_ONCE, say, withConsole } from "./ServedConsole.ts"

/** What a full live board costs: the part of a core that the page's thread works, as Chromium counts it, while its rows are traded. */
const { values } = parseArgs({
  options: {
    rows: { type: "string", default: "500" },
    rates: { type: "string", default: "0,20,100" },
    seconds: { type: "string", default: "10" },
  },
})
const [ROWS, SECONDS] = [Number(values.rows), Number(values.seconds)]
const RATES = values.rates.split(",").map(Number)

const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  const config = sampleAddress()
  const amounts = { supply: "1000000000000000", migrationQuoteThreshold: "85000000000", startSqrtPrice: "1" }
  yield* sql`insert into launch_curves ${sql.insert({ config, baseDecimals: 6, quoteDecimals: 9, ...amounts })}`
  const pools = Arr.makeBy(ROWS, (index) => ({
    ...{ pool: sampleAddress(), baseMint: sampleAddress(), quoteMint: SOL, config, creator: sampleAddress() },
    ...{ name: `Token number ${index}`, symbol: `T${index}`, uri: "", poolType: 0, activationPoint: 0n, decimals: 6 },
    ...{ createdSlot: BigInt(index), createdAt: new Date(Date.now() - index * 1_000) },
  }))
  for (const rows of Arr.chunksOf(pools, INSERTED_AT_ONCE)) yield* sql`insert into dbc_pools ${sql.insert(rows)}`
  return pools.map(({ baseMint }) => baseMint)
})

const measure = Effect.fnUntraced(function* (browser: Browser, url: string) {
  const mints = yield* fill
  const { faults, page } = yield* does(() => openPage(browser, `${url}/console`))
  const rows = does(() => page.locator("tr[data-mint]").count())
  while ((yield* rows) < ROWS) {
    yield* does(() => page.click("text=Show more"))
    yield* Effect.sleep("700 millis")
  }
  const session = yield* does(() => page.context().newCDPSession(page))
  yield* does(() => session.send("Performance.enable"))
  const worked = does(async () => {
    const { metrics } = await session.send("Performance.getMetrics")
    const of = (name: string) => metrics.find((metric) => metric.name === name)!.value
    return { task: of("TaskDuration"), at: of("Timestamp") }
  })
  for (const rate of RATES) {
    const live = yield* Effect.forkChild(rate === 0 ? Effect.never : tradeLive(mints, rate))
    yield* Effect.sleep("2 seconds")
    const before = yield* worked
    yield* Effect.sleep(`${SECONDS} seconds`)
    const after = yield* worked
    yield* Fiber.interrupt(live)
    const part = (after.task - before.task) / (after.at - before.at)
    say(`${yield* rows} rows, ${rate} trades/s: ${(part * 100).toFixed(1)} % of a core`)
  }
  say(`faults: ${faults.length === 0 ? "none" : faults.join("; ")}`)
})

await withConsole(measure)
