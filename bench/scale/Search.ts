import { join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { type BenchAddress, BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { ServiceProcess } from "../fuzz/ServiceProcess.ts"
import { compareTokens } from "./ComparedTokens.ts"
import { COMMON_TAG, fillTokens, mintOf, ownerOf, RARE_TAG, WORDS } from "./ManyTokens.ts"

/**
 * Searches over loopback in a small and a large registry, one request at a time. Requests to both, and to the service of
 * another checkout (`--against`), alternate. With `--keep <folder>` the registries stay there and are not filled again the next time.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100000,1000000" },
    rounds: { type: "string", default: "3" },
    limit: { type: "string", default: "20" },
    against: { type: "string" },
    terms: { type: "string", default: "25" },
    kinds: { type: "string", default: "" },
    keep: { type: "string" },
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
  "the address of a mint": any.map((_, n) => ({ q: mintOf(n * 37) })),
}

interface Contestant {
  readonly name: string
  readonly size: number
  readonly service: ServiceProcess
  readonly millis: Map<string, Array<number>>
  /** Pages that are neither full nor the last one. */
  readonly short: Map<string, number>
}

interface Page {
  readonly data: ReadonlyArray<unknown>
  readonly pagination: { readonly nextCursor: string | null }
}

const ask = async ({ millis, service, short }: Contestant, kind: string, query: Readonly<Record<string, string>>) => {
  const startedAt = performance.now()
  const answer = await fetch(
    `${service.url}/api/tokens/search?${new URLSearchParams({ ...query, limit: values.limit })}`,
  )
  const { data, pagination } = (await answer.json()) as Page
  const took = performance.now() - startedAt
  // One that takes longer than a statement may is 503.
  if (answer.status !== 200 && answer.status !== 503) throw new Error(`${JSON.stringify(query)}: ${answer.status}`)
  millis.get(kind)!.push(took)
  if (answer.status === 200 && data.length < Number(values.limit) && pagination.nextCursor !== null)
    short.set(kind, short.get(kind)! + 1)
}

const at = (all: ReadonlyArray<number>, share: number) =>
  all.toSorted((a, b) => a - b)[Math.min(all.length - 1, Math.floor(all.length * share))]!

const fill = async (address: BenchAddress, size: number) => {
  const client = clientOf(address)
  await client.connect()
  const startedAt = performance.now()
  await fillTokens(client, size)
  await client.end()
  await compareTokens(address)
  say(`${size} tokens, filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
}

const database = await BenchDatabase.start(values.keep)
const contestants: Array<Contestant> = []
try {
  const kinds = Object.keys(KINDS).filter((kind) => values.kinds === "" || values.kinds.split(",").includes(kind))
  for (const size of values.sizes.split(",").map(Number)) {
    const name = `search_${size}`
    await database.filled(name, (empty) => fill(empty, size))
    for (const checkout of [
      ...(values.against === undefined ? [] : [values.against]),
      join(import.meta.dirname, "../.."),
    ]) {
      const { socketDirectory, username } = database.address
      const service = await ServiceProcess.start({
        ...{ checkout: resolve(checkout), port: await freePort(), dataFolder: "" },
        environment: {
          DATABASE_URL: `postgres://${username}@localhost/${name}?host=${socketDirectory}`,
          ...{ ROLE: "api", NETWORK: "localnet", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
        },
      })
      contestants.push({
        ...{ name: checkout === values.against ? "before" : "now", size, service },
        millis: new Map(kinds.map((kind) => [kind, []])),
        short: new Map(kinds.map((kind) => [kind, 0])),
      })
    }
  }
  for (let round = 0; round <= Number(values.rounds); round++)
    for (const kind of kinds)
      for (const query of KINDS[kind]!)
        for (const contestant of contestants) {
          await ask(contestant, kind, query)
          // The first round warms up.
          if (round === 0) contestant.millis.set(kind, [])
        }
  say(`\n| p50 / p99 ms | ${contestants.map(({ name, size }) => `${name}, ${size}`).join(" | ")} |`)
  say(`|---|${contestants.map(() => "---").join("|")}|`)
  for (const kind of kinds) {
    const cells = contestants.map(({ millis, short }) => {
      const all = millis.get(kind)!
      const count = short.get(kind)!
      const pages = count === 0 ? "" : ` (${count} short pages)`
      return `${at(all, 0.5).toFixed(1)} / ${at(all, 0.99).toFixed(1)}${pages}`
    })
    say(`| ${kind} | ${cells.join(" | ")} |`)
  }
} finally {
  for (const { service } of contestants) await service.stop()
  await database.stop()
}
