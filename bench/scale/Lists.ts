import { parseArgs } from "node:util"
import { type BenchAddress, BenchDatabase, clientOf } from "../ingest/BenchDatabase.ts"
import { compareTokens } from "./ComparedTokens.ts"
import { countRecordsOf } from "./CountedRecords.ts"
import { coinOf, fillRecords, OLD_QUOTE, SOL, userOf } from "./ManyRecords.ts"
import { COMMON_TAG, fillTokens, mintOf, ownerOf, RARE_TAG } from "./ManyTokens.ts"
import { ask, Notes, type RequestKind, startServices, table, type TimedService } from "./ServicesInTurn.ts"

/**
 * Pages of lists over loopback, one request at a time, of a small and a large registry, which has ten records for each token.
 * Requests to both, and to the service of another checkout (`--against`), alternate; figures are medians of `--runs`, each of `--rounds` of all
 * requests. With `--keep <folder>` the registries stay there and are not filled again the next time.
 */
const { values } = parseArgs({
  options: {
    sizes: { type: "string", default: "100000,1000000" },
    rounds: { type: "string", default: "3" },
    runs: { type: "string", default: "5" },
    limit: { type: "string", default: "20" },
    against: { type: "string" },
    keep: { type: "string" },
    requests: { type: "string", default: "15" },
    kinds: { type: "string", default: "" },
  },
})
const REQUESTS = Number(values.requests)
/** Pages of 1,000 rows before a page deep in a list. */
const PAGES_BEFORE = 20

const say = (text: string) => void process.stdout.write(`${text}\n`)

const many = (path: (n: number) => string) => Array.from({ length: REQUESTS }, (_, n) => path(n))
/** Owner 0 has one token in twenty as well, all of them old. */
const LARGE_OWNER = ownerOf(0)
/** The oldest tokens of the bench were registered on this day or before. */
const PAST = "endDate=2001-01-01T00:00:00Z"
const mints = (n: number) => `mints=${Array.from({ length: 20 }, (_, at) => mintOf(n * 97 + at * 31)).join()}`

/** Paths with queries of each kind. */
const KINDS: Readonly<Record<string, ReadonlyArray<string>>> = {
  tokens: many(() => "/api/tokens?"),
  "tokens, deep": many((n) => `/api/tokens?skip=${n}&`),
  "tokens, offset 10000": many(() => "/api/tokens?offset=10000&"),
  "tokens of a launchpad": many((n) => `/api/tokens?launchpad=launchpad_${n % 2 === 0 ? "a" : "b"}&`),
  "active tokens": many(() => "/api/tokens?active=true&"),
  "ended tokens, which are few": many(() => "/api/tokens?active=false&"),
  "ended tokens of a launchpad": many(() => "/api/tokens?launchpad=launchpad_b&active=false&"),
  "tokens of a common tag": many(() => `/api/tokens?tag=${COMMON_TAG}&`),
  "ended tokens of a common tag": many(() => `/api/tokens?tag=${COMMON_TAG}&active=false&`),
  "tokens of a rare tag and a launchpad": many(() => `/api/tokens?tag=${RARE_TAG}&launchpad=launchpad_b&`),
  "tokens of long ago": many(() => `/api/tokens?${PAST}&`),
  "tokens of mints": many((n) => `/api/tokens?${mints(n)}&`),
  "tokens of an owner": many((n) => `/api/tokens/address/${ownerOf(n + 1)}?`),
  "tokens of a large owner": many(() => `/api/tokens/address/${LARGE_OWNER}?`),
  "ended tokens of a large owner": many(() => `/api/tokens/address/${LARGE_OWNER}?active=false&`),
  "tokens of a large owner and a rare tag": many(() => `/api/tokens/address/${LARGE_OWNER}?tag=${RARE_TAG}&`),
  records: many(() => "/api/transactions?"),
  "records, deep": many((n) => `/api/transactions?skip=${n}&`),
  "records, offset 10000": many(() => "/api/transactions?offset=10000&"),
  "records of a user": many((n) => `/api/transactions/user/${userOf(n + 1)}?`),
  "records of a large user": many(() => `/api/transactions/user/${userOf(0)}?`),
  "failed records of a large user": many(() => `/api/transactions?userAddress=${userOf(0)}&status=failed&`),
  "records of a user and a token": many((n) => `/api/transactions?userAddress=${userOf(0)}&baseToken=${coinOf(n)}&`),
  "records of a large user in an old quote": many(
    () => `/api/transactions?userAddress=${userOf(0)}&quoteToken=${OLD_QUOTE}&`,
  ),
  "records of a token": many((n) => `/api/transactions/token/${coinOf(n)}?`),
  "records of SOL": many(() => `/api/transactions/token/${SOL}?`),
  "records of an old quote": many(() => `/api/transactions?quoteToken=${OLD_QUOTE}&`),
  "records of an old chain": many(() => "/api/transactions?chain=ethereum&"),
  "records of a chain": many(() => "/api/transactions?chain=solana&"),
  "pending records": many(() => "/api/transactions?status=pending&"),
  "failed sales": many(() => "/api/transactions?status=failed&action=SELL&"),
  "launches of an old chain": many(() => "/api/transactions?action=DEPLOY&chain=ethereum&"),
  "launches in an old quote": many(() => `/api/transactions?action=DEPLOY&quoteToken=${OLD_QUOTE}&`),
}

interface Page {
  readonly data?: ReadonlyArray<unknown>
  readonly transactions?: ReadonlyArray<unknown>
  readonly pagination: { readonly nextCursor: string | null }
}

const pageOf = async ({ service }: TimedService, path: string, limit: string) => {
  const answer = await fetch(`${service.url}${path}limit=${limit}`)
  return { status: answer.status, page: (await answer.json()) as Page }
}

/** Cursors deep in a list, by service and path. */
const cursors = new Map<string, string>()

const deepCursor = async (service: TimedService, path: string): Promise<string> => {
  const key = `${service.name} ${path}`
  const known = cursors.get(key)
  if (known !== undefined) return known
  let cursor = ""
  for (let count = 0; count < PAGES_BEFORE; count++)
    cursor = (await pageOf(service, `${path}${cursor === "" ? "" : `cursor=${cursor}&`}`, "1000")).page.pagination
      .nextCursor!
  cursors.set(key, cursor)
  return cursor
}

const notes = new Notes()

/** A page that is neither full nor the last one is short. */
const askFor = async (service: TimedService, kind: string, query: string) => {
  const [path, skipped] = query.split("skip=")
  const asked = skipped === undefined ? query : `${path}cursor=${await deepCursor(service, path!)}&`
  const startedAt = performance.now()
  const { page, status } = await pageOf(service, asked, values.limit)
  const took = performance.now() - startedAt
  if (status !== 200) notes.add(service, kind, "not 200")
  else if ((page.data ?? page.transactions!).length < Number(values.limit) && page.pagination.nextCursor !== null)
    notes.add(service, kind, "short pages")
  return took
}

const fill = async (address: BenchAddress, size: number) => {
  const client = clientOf(address)
  await client.connect()
  const startedAt = performance.now()
  // Of searches and uploads; they would make the changes below take long.
  await client.query("drop index tokens_text, tokens_words")
  await fillTokens(client, size)
  await fillRecords(client, size * 10)
  const oldest = "select id from tokens order by created_at limit $1"
  await client.query(`update tokens set owner = '${LARGE_OWNER}' where id in (${oldest})`, [Math.floor(size / 20)])
  await client.query(`update tokens set active = false where id in (${oldest})`, [500])
  await client.query("update token_tags set active = false where token_id in (select id from tokens where not active)")
  await client.query(`update tokens set created_at = '2000-01-01' where id in (${oldest})`, [200])
  await client.query(
    "update token_tags g set created_at = t.created_at from tokens t where t.id = g.token_id and t.created_at < '2001-01-01'",
  )
  await client.query("vacuum (analyze) tokens, token_tags")
  say(`${size} tokens, ${size * 10} records, filled in ${Math.round((performance.now() - startedAt) / 1_000)} s`)
  await client.end()
}

const database = await BenchDatabase.start(values.keep)
const services: Array<TimedService> = []
try {
  const kinds: ReadonlyArray<RequestKind> = Object.entries(KINDS)
    .filter(([name]) => values.kinds === "" || values.kinds.split(";").includes(name))
    .map(([name, queries]) => ({
      name,
      requests: queries.map((query) => (service) => askFor(service, name, query)),
    }))
  for (const size of values.sizes.split(",").map(Number)) {
    const address = await database.filled(`tokens_${size}`, (empty) => fill(empty, size))
    await compareTokens(address)
    await countRecordsOf(address)
    services.push(...(await startServices(address, size, values.against)))
  }
  await ask(services, kinds, Number(values.runs), Number(values.rounds))
  say(`\n${table(services, kinds, notes.of)}`)
} catch (error) {
  process.exitCode = 1
  say(String(error))
} finally {
  for (const { service } of services) await service.stop()
  await database.stop()
}
