import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { WINDOW_LENGTHS } from "@launch-registry/domain/tokens/TradingWindow"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { BenchDatabase } from "../BenchDatabase.ts"
import { quantile } from "../Quantiles.ts"
import { ServiceProcess } from "../ServiceProcess.ts"
import { COMMON_TAG, fillRegistry, mintOf, OLD_QUOTE, ownerOf, QUIET_TAG, RARE_TAG, userOf, WORDS } from "./ManyRows.ts"

/**
 * Searches, popular tokens and lists over loopback, one request at a time, in a small and a large registry with ten trades and ten
 * records for each token. Requests to both, and to the service of another checkout (`--against`), alternate in random order. With
 * `--keep <folder>` the registries stay there, and the next run takes them as they are, with what is popular as of then.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100000,1000000" },
    rounds: { type: "string", default: "100" },
    kinds: { type: "string", default: "" },
    against: { type: "string" },
    keep: { type: "string" },
  },
})
const LIMIT = 20
const say = (text: string) => void process.stdout.write(`${text}\n`)

/** A word by how frequent it is, from 0 to 1. */
const word = (share: number) => WORDS[Math.floor(WORDS.length * share)]!
const between = (n: number, from: number, to: number) => word(from + ((to - from) * (n % 25)) / 25)
const search = (query: (n: number) => string) => (n: number) => `/api/tokens/search?q=${query(n)}`

/** The path of request `n` of each kind. */
const KINDS: Readonly<Record<string, (n: number) => string>> = {
  "search: a common word": search((n) => between(n, 0, 0.02)),
  "search: a usual word": search((n) => between(n, 0.1, 0.4)),
  "search: a rare word": search((n) => between(n, 0.8, 1)),
  "search: two words": search((n) => `${between(n, 0.1, 0.4)}+${between(n, 0.8, 1)}`),
  "search: an absent word": search((n) => `x${between(n, 0, 1)}qy`),
  "search: an absent word of usual syllables": search((n) => between(n, 0.1, 0.4) + between(n, 0, 1)),
  "search: three letters": search((n) => between(n, 0, 1).slice(0, 3)),
  "search: two letters": search((n) => between(n, 0, 1).slice(1, 3)),
  "search: two letters that no word has": search((n) => ["qx", "zx", "xx", "vv", "wz"][n % 5]!),
  "search: one letter": search((n) => "abdfgklmnprst"[n % 13]!),
  "search: a word in a rare tag": search((n) => `${between(n, 0, 1)}&tag=${RARE_TAG}`),
  "search: a word in a common tag": search((n) => `${between(n, 0, 1)}&tag=${COMMON_TAG}`),
  "search: a word of an owner": search((n) => `${between(n, 0, 1)}&owner=${ownerOf(n)}`),
  "search: a mint": search((n) => mintOf(n * 37)),
  ...Object.fromEntries(
    Object.keys(WINDOW_LENGTHS).flatMap((interval) =>
      Object.entries({
        all: "",
        "a common tag": `&tag=${COMMON_TAG}`,
        "a rare tag": `&tag=${RARE_TAG}`,
        "an absent tag": "&tag=absent",
        "a tag that is hardly traded": `&tag=${QUIET_TAG}`,
        "a launchpad": "&launchpad=launchpad_b",
        "ended ones": "&active=false",
      }).map(([name, filter]) => [
        `popular in ${interval}: ${name}`,
        () => `/api/tokens/popular?interval=${interval}${filter}`,
      ]),
    ),
  ),
  tokens: () => "/api/tokens?",
  "tokens, offset 10000": () => "/api/tokens?offset=10000",
  "tokens of a launchpad": () => "/api/tokens?launchpad=launchpad_b",
  "ended tokens, which are few": () => "/api/tokens?active=false",
  "tokens of a common tag": () => `/api/tokens?tag=${COMMON_TAG}`,
  "tokens of a rare tag and a launchpad": () => `/api/tokens?tag=${RARE_TAG}&launchpad=launchpad_b`,
  "tokens of an owner": (n) => `/api/tokens/address/${ownerOf(n + 1)}?`,
  records: () => "/api/transactions?",
  "records, offset 10000": () => "/api/transactions?offset=10000",
  "records of a user": (n) => `/api/transactions/user/${userOf(n + 1)}?`,
  "records of a large user": () => `/api/transactions/user/${userOf(0)}?`,
  "failed records of a large user": () => `/api/transactions?userAddress=${userOf(0)}&status=failed`,
  "records of a token": (n) => `/api/transactions/token/${mintOf(n)}?`,
  "records of an old quote": () => `/api/transactions?quoteToken=${OLD_QUOTE}`,
  "records of an old chain": () => "/api/transactions?chain=ethereum",
  "pending records": () => "/api/transactions?status=pending",
  "failed sales": () => "/api/transactions?status=failed&action=SELL",
}

interface Timed {
  readonly name: string
  readonly service: ServiceProcess
  readonly millis: Map<string, Array<number>>
}

const asked = new Set(values.kinds.split(";"))
const kinds = Object.entries(KINDS).filter(([kind]) => values.kinds === "" || asked.has(kind))

/** In another order each time, so that no kind meets the garbage collections again and again. */
const shuffled = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> =>
  all
    .map((value) => ({ value, key: Math.random() }))
    .toSorted((left, right) => left.key - right.key)
    .map(({ value }) => value)

const askAll = async (services: ReadonlyArray<Timed>, round: number): Promise<void> => {
  for (const [kind, pathOf] of shuffled(kinds))
    for (const { millis, service } of shuffled(services)) {
      const startedAt = performance.now()
      const answer = await fetch(`${service.url}${pathOf(round)}&limit=${LIMIT}`)
      await answer.arrayBuffer()
      if (answer.status !== 200) throw new Error(`${kind}: ${answer.status}`)
      millis.get(kind)!.push(performance.now() - startedAt)
    }
}

const checkouts = [...(values.against === undefined ? [] : [values.against]), join(import.meta.dirname, "../..")]
const database = await BenchDatabase.start(values.keep)
const services: Array<Timed> = []
try {
  for (const size of values.sizes.split(",")) {
    const startedAt = performance.now()
    const { socketDirectory, username, ...address } = await database.filled(`registry_${size}`, (empty) =>
      fillRegistry(empty, Number(size)),
    )
    say(`${size} tokens: filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
    for (const checkout of checkouts)
      services.push({
        name: `${checkout === values.against ? "before, " : ""}${size}`,
        millis: new Map(kinds.map(([kind]) => [kind, []])),
        service: await ServiceProcess.start({
          ...{ checkout: resolve(checkout), port: await freePort(), dataFolder: "" },
          environment: {
            DATABASE_URL: `postgres://${username}@localhost/${address.database}?host=${socketDirectory}`,
            ...{ ROLE: "api", NETWORK: "localnet", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
          },
        }),
      })
  }
  // Warms up connections and code.
  await askAll(services, 0)
  for (const { millis } of services) for (const [kind] of kinds) millis.set(kind, [])
  for (let round = 1; round <= Number(values.rounds); round++) await askAll(services, round)
  const names = services.map(({ name }) => name)
  say(`\n| p50 / p99 ms | ${names.join(" | ")} | ${names.at(-1)} to ${names[0]} |\n|${"---|".repeat(names.length + 2)}`)
  for (const [kind] of kinds) {
    const all = services.map(({ millis }) => millis.get(kind)!)
    const [first, last] = [all[0]!, all.at(-1)!].map((millis) => quantile(millis, 0.5))
    const cells = all.map((millis) => `${quantile(millis, 0.5).toFixed(1)} / ${quantile(millis, 0.99).toFixed(1)}`)
    say(`| ${kind} | ${cells.join(" | ")} | ${(last! / first!).toFixed(2)} |`)
  }
} finally {
  for (const { service } of services) await service.stop()
  await database.stop()
}
