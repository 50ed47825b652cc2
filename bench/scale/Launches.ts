import { parseArgs } from "node:util"
import { BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { configOf, fillLaunches, traderOf } from "./ManyLaunches.ts"
import { COMMON_TAG, mintOf, ownerOf } from "./ManyTokens.ts"
import { ask, Notes, type RequestKind, startServices, table, type TimedService } from "./ServicesInTurn.ts"

/**
 * Pages of launches, of trades, and of tokens with their figures over loopback, one request at a time, of a small and a large registry that
 * `Popular.ts` filled in the folder `--keep`; launches are added to them. Requests to both, and to the service of another checkout
 * (`--against`), alternate; figures are medians of `--runs`, each of `--rounds` of all requests.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100000,1000000" },
    rounds: { type: "string", default: "5" },
    runs: { type: "string", default: "5" },
    limit: { type: "string", default: "20" },
    against: { type: "string" },
    keep: { type: "string" },
    requests: { type: "string", default: "15" },
    kinds: { type: "string", default: "" },
  },
})
if (values.keep === undefined) throw new Error("--keep <folder that Popular.ts filled> is required")
/** Before the last trades of the registries. */
const HOUR_MILLIS = 3_600_000

const say = (text: string) => void process.stdout.write(`${text}\n`)

const many = (path: (n: number, newest: Date) => string) => (newest: Date) =>
  Array.from({ length: Number(values.requests) }, (_, n) => path(n, newest))
const before = (newest: Date, hours: number) => new Date(newest.getTime() - hours * HOUR_MILLIS).toISOString()
const POOLS = "/api/launch/pools"

/** Paths with queries of each kind, where the newest trade is of a time. */
const KINDS: Readonly<Record<string, (newest: Date) => ReadonlyArray<string>>> = {
  "new launches": many(() => `${POOLS}?`),
  "new launches, registered or not": many(() => `${POOLS}?registered=any&`),
  "launches that nobody registered": many(() => `${POOLS}?registered=false&`),
  "launches about to graduate": many(() => `${POOLS}?sort=progress&`),
  "launches about to graduate, registered or not": many(() => `${POOLS}?sort=progress&registered=any&`),
  "graduated launches": many(() => `${POOLS}?sort=graduated&`),
  "completed launches": many(() => `${POOLS}?stage=completed&`),
  "launches of a configuration": many((n) => `${POOLS}?config=${configOf(n)}&`),
  "launches of a configuration about to graduate": many((n) => `${POOLS}?config=${configOf(n)}&sort=progress&`),
  "launches of a creator": many((n) => `${POOLS}?creator=${ownerOf(n + 1)}&registered=any&`),
  "new launches with figures": many(() => `${POOLS}?include=market&`),
  "launches about to graduate with figures": many(() => `${POOLS}?sort=progress&include=market&`),
  "new tokens with figures": many(() => "/api/tokens?include=market&"),
  "tokens of a common tag with figures": many(() => `/api/tokens?tag=${COMMON_TAG}&include=market&`),
  "tokens with figures and trust": many(() => "/api/tokens?include=market,trust&"),
  "popular tokens with figures": many(() => "/api/tokens/popular?include=market&"),
  trades: many(() => "/api/launch/trades?"),
  "trades of a trader": many((n) => `/api/launch/trades?trader=${traderOf(n + 1)}&`),
  "trades of a large trader": many(() => `/api/launch/trades?trader=${traderOf(0)}&`),
  "trades of a large trader of some hours": many(
    (n, newest) =>
      `/api/launch/trades?trader=${traderOf(0)}&from=${before(newest, n + 4)}&to=${before(newest, n + 2)}&`,
  ),
  "trades of an hour": many(
    (n, newest) => `/api/launch/trades?from=${before(newest, n + 2)}&to=${before(newest, n + 1)}&`,
  ),
  "sales, of which there are none": many(() => "/api/launch/trades?side=SELL&"),
  "trades of a mint": many((n) => `/api/launch/trades?mint=${mintOf(n * 37)}&`),
  "trades of a pool": many((n) => `/api/launch/pool/${mintOf(n * 37)}/trades?`),
  "candles of a pool": many((n) => `/api/launch/pool/${mintOf(n * 37)}/candles?interval=1h&`),
}

const notes = new Notes()
const askFor = async (timed: TimedService, kind: string, query: string) => {
  const startedAt = performance.now()
  const answer = await fetch(`${timed.service.url}${query}limit=${values.limit}`)
  await answer.arrayBuffer()
  if (answer.status !== 200) notes.add(timed, kind, "not 200")
  return performance.now() - startedAt
}

const database = await BenchDatabase.start(values.keep)
const services: Array<TimedService> = []
try {
  const newest = new Map<TimedService, Date>()
  for (const size of values.sizes.split(",").map(Number)) {
    const address = await database.filled(`popular_${size}`, () =>
      Promise.reject(new Error("Popular.ts has not filled it")),
    )
    const client = clientOf(address)
    await client.connect()
    const { rows } = await client.query("select exists (select from launch_listings) as has_launches")
    const startedAt = performance.now()
    if (!rows[0].has_launches) {
      await fillLaunches(address)
      say(`${size} tokens, launches added in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    }
    const traded = await client.query("select block_time as newest from trades order by ordinal desc limit 1")
    await client.end()
    for (const service of await startServices(address, size, values.against)) {
      services.push(service)
      newest.set(service, traded.rows[0].newest)
    }
  }
  const kinds: ReadonlyArray<RequestKind> = Object.entries(KINDS)
    .filter(([name]) => values.kinds === "" || values.kinds.split(";").includes(name))
    .map(([name, pathsOf]) => ({
      name,
      requests: Array.from(
        { length: Number(values.requests) },
        (_, n) => (service: TimedService) => askFor(service, name, pathsOf(newest.get(service)!)[n]!),
      ),
    }))
  await ask(services, kinds, Number(values.runs), Number(values.rounds))
  say(`\n${table(services, kinds, notes.of)}`)
} finally {
  for (const { service } of services) await service.stop()
  await database.stop()
}
