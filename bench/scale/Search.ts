import { parseArgs } from "node:util"
import * as Database from "@launch-registry/postgres/Database"
import { Effect } from "effect"
import { fillScripts, SCRIPT_TERMS } from "../../packages/server/test/tokens/SearchedScripts.ts"
import { type BenchAddress, BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { compareTokens } from "./ComparedTokens.ts"
import { COMMON_TAG, fillTokens, mintOf, ownerOf, RARE_TAG, WORDS } from "./ManyTokens.ts"
import { ask, Notes, type RequestKind, startServices, table, type TimedService } from "./ServicesInTurn.ts"

/**
 * Searches over loopback in a small and a large registry, one request at a time. Requests to both, and to the service of
 * another checkout (`--against`), alternate; figures are medians of `--runs`, each of `--rounds` of all requests. With `--keep <folder>` the registries stay there and are not filled again the next time.
 * With `--c-locale` their databases have the locale C, which knows no letters beyond ASCII.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100000,1000000" },
    rounds: { type: "string", default: "3" },
    runs: { type: "string", default: "5" },
    limit: { type: "string", default: "20" },
    against: { type: "string" },
    terms: { type: "string", default: "25" },
    kinds: { type: "string", default: "" },
    keep: { type: "string" },
    "c-locale": { type: "boolean", default: false },
  },
})
const TERMS = Number(values.terms)

const say = (text: string) => void process.stdout.write(`${text}\n`)

/** Words by how frequent they are, from 0 to 1. */
const wordsFrom = (start: number, end: number) =>
  Array.from({ length: TERMS }, (_, n) => WORDS[Math.floor(WORDS.length * (start + ((end - start) * n) / TERMS))]!)

const common = wordsFrom(0, 0.02)
const usual = wordsFrom(0.1, 0.4)
const seldom = wordsFrom(0.8, 1)
const any = wordsFrom(0, 1)

/** Parts of the names of the oldest tokens, by how many letters they have. */
const scripts = (hasLength: (length: number) => boolean) => SCRIPT_TERMS.filter((term) => hasLength([...term].length))

/** Queries of each kind; a word is in every part of a token. */
const KINDS: Readonly<Record<string, ReadonlyArray<Readonly<Record<string, string>>>>> = {
  "a common word": common.map((q) => ({ q })),
  "a usual word": usual.map((q) => ({ q })),
  "a rare word": seldom.map((q) => ({ q })),
  "three letters": any.map((word) => ({ q: word.slice(0, 3) })),
  "two words": usual.map((word, n) => ({ q: `${word} ${seldom[n]}` })),
  "an absent word": any.map((word) => ({ q: `x${word}qy` })),
  "an absent word of usual syllables": usual.map((word, n) => ({ q: `${word}${any[n]}${common[n]}` })),
  "two letters": any.map((word) => ({ q: word.slice(1, 3) })),
  "two letters that no word has": ["qx", "zx", "xx", "vv", "wz", "qq", "xw"].map((q) => ({ q })),
  "one letter": [..."abdfgklmnprst"].map((q) => ({ q })),
  "a word in a rare tag": any.map((q) => ({ q, tag: RARE_TAG })),
  "a word in a common tag": any.map((q) => ({ q, tag: COMMON_TAG })),
  "a word of an owner": any.map((q, n) => ({ q, owner: ownerOf(n) })),
  "a word in a launchpad": any.map((q) => ({ q, launchpad: "launchpad_b", active: "true" })),
  "three letters and more of another script": scripts((length) => length > 2).map((q) => ({ q })),
  "one or two letters of another script": scripts((length) => length <= 2).map((q) => ({ q })),
  "the address of a mint": any.map((_, n) => ({ q: mintOf(n * 37) })),
}

interface Page {
  readonly data: ReadonlyArray<unknown>
  readonly pagination: { readonly nextCursor: string | null }
}

const notes = new Notes()

/** A page that is neither full nor the last one is short. */
const askFor = async (timed: TimedService, kind: string, query: Readonly<Record<string, string>>) => {
  const startedAt = performance.now()
  const answer = await fetch(
    `${timed.service.url}/api/tokens/search?${new URLSearchParams({ ...query, limit: values.limit })}`,
  )
  const { data, pagination } = (await answer.json()) as Page
  const took = performance.now() - startedAt
  // One that takes longer than a statement may is 503.
  if (answer.status !== 200 && answer.status !== 503) throw new Error(`${JSON.stringify(query)}: ${answer.status}`)
  if (answer.status === 200 && data.length < Number(values.limit) && pagination.nextCursor !== null)
    notes.add(timed, kind, "short pages")
  return took
}

const fill = async (address: BenchAddress, size: number) => {
  const client = clientOf(address)
  await client.connect()
  const startedAt = performance.now()
  await fillTokens(client, size)
  await client.end()
  await Effect.runPromise(Effect.provide(fillScripts, Database.layer(address)))
  await compareTokens(address)
  say(`${size} tokens, filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
}

const database = await BenchDatabase.start(values.keep)
const services: Array<TimedService> = []
try {
  const kinds: ReadonlyArray<RequestKind> = Object.entries(KINDS)
    .filter(([name]) => values.kinds === "" || values.kinds.split(",").includes(name))
    .map(([name, queries]) => ({
      name,
      requests: queries.map((query) => (service) => askFor(service, name, query)),
    }))
  for (const size of values.sizes.split(",").map(Number)) {
    const [name, locale] = values["c-locale"]
      ? ([`search_c_${size}`, "locale_provider libc lc_collate 'C' lc_ctype 'C'"] as const)
      : ([`search_${size}`] as const)
    const address = await database.filled(name, (empty) => fill(empty, size), locale)
    services.push(...(await startServices(address, size, values.against)))
  }
  await ask(services, kinds, Number(values.runs), Number(values.rounds))
  say(`\n${table(services, kinds, notes.of)}`)
} finally {
  for (const { service } of services) await service.stop()
  await database.stop()
}
