import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { assert, describe, it } from "vitest"

const ROOT = join(import.meta.dirname, "..")
const LINES_MAX = 300

const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
}).split("\n")
const tracked = files.filter((file) => file.endsWith(".ts"))
const read = (file: string) => readFileSync(join(ROOT, file), "utf8")

const sources = tracked.filter((file) => /^(packages\/\w+|migrations)\/src\//.test(file))
const packageOf = (file: string) => (file.startsWith("migrations/") ? "migrations" : file.split("/")[1]!)

/** Which of our packages each package may import. */
const MAY_IMPORT: Readonly<Record<string, ReadonlyArray<string>>> = {
  domain: [],
  client: ["domain"],
  postgres: [],
  migrations: ["postgres"],
  chain: ["domain"],
  clickhouse: [],
  indexer: ["domain", "chain", "migrations", "postgres", "clickhouse"],
  http: ["domain", "postgres"],
  ipfs: ["domain", "http", "postgres"],
  bridge: ["domain", "chain", "http", "postgres"],
  server: ["domain", "chain", "http", "migrations", "postgres", "clickhouse"],
  console: ["client", "domain", "http"],
  service: [
    ...["domain", "chain", "postgres", "migrations", "indexer", "http", "ipfs", "bridge", "server"],
    "console",
    "clickhouse",
  ],
}

/** Which package writes each table. */
const WRITER: Readonly<Record<string, string>> = {
  tokens: "server",
  token_tags: "server",
  popular_ranks: "server",
  token_corrections: "server",
  token_skeletons: "server",
  quote_prices: "server",
  transactions: "server",
  ipfs_blocks: "ipfs",
  ipfs_uploads: "ipfs",
  ipfs_deliveries: "ipfs",
  launch_configs: "server",
  launch_deployments: "server",
  token_labels: "server",
  fetched_documents: "server",
  launch_listings: "server",
  launch_submissions: "server",
  token_whitelist: "server",
  holder_counts: "server",
  server_progress: "server",
  recorded_windows: "server",
  idempotent_requests: "http",
  rate_limit_windows: "http",
  write_days: "http",
  api_keys: "server",
  audit_log: "server",
  notification_endpoints: "server",
  notification_messages: "server",
  bridge_swaps: "bridge",
  bridge_deposits: "bridge",
  bridge_upstream: "bridge",
  inbox_head: "indexer",
  inbox_segments: "indexer",
  inbox_transactions: "indexer",
  inbox_poison: "indexer",
  inbox_dropped: "indexer",
  dead_letters: "indexer",
  coverage: "indexer",
  followed_pools: "indexer",
  leases: "indexer",
  indexer_reports: "indexer",
  indexer_jobs: "indexer",
  indexer_progress: "indexer",
  trades: "indexer",
  dbc_events: "indexer",
  fee_claims: "indexer",
  dbc_configs: "indexer",
  dbc_pools: "indexer",
  candles: "indexer",
  trading_windows: "indexer",
  trading_traders: "indexer",
  index_changes: "indexer",
}

/** Files of a package that are in no folder of their own. */
const ROOT_FOLDER = "src"

/** Folders of a package that import one another. */
const CIRCLES: Readonly<Record<string, ReadonlyArray<string>>> = {
  bridge: [],
  chain: [],
  domain: [],
  http: [],
  // Its files wire all folders together, and some folders its Indexer.
  indexer: [ROOT_FOLDER],
  ipfs: [],
  postgres: [],
  server: [],
}

describe("The repository", () => {
  it(`has no file of more than ${LINES_MAX} lines`, () => {
    const long = tracked.filter((file) => read(file).split("\n").length > LINES_MAX)
    assert.deepStrictEqual(long, [])
  })

  it("names files by what they export", () => {
    const banned = /^(utils?|helpers?|common|types|interfaces|index)\.ts$|(Impl|Live|Manager|Helper|Utils?)\.ts$/i
    const misnamed = sources.filter(
      (file) => banned.test(basename(file)) || !/^([A-Z]\w+|main)\.ts$/.test(basename(file)),
    )
    assert.deepStrictEqual(misnamed, [])
  })

  it("keeps the direction of imports between packages", () => {
    for (const file of sources) {
      for (const [, other] of read(file).matchAll(/from "@launch-registry\/(\w+)\//g)) {
        if (other === packageOf(file)) assert.fail(`${file} imports its own package by name`)
        assert.include(MAY_IMPORT[packageOf(file)]!, other!, file)
      }
    }
  })

  for (const [name, circle] of Object.entries(CIRCLES))
    it(`has no circle between the folders of ${name}, but for those that are named`, () => {
      const folders = new Map<string, Set<string>>()
      for (const file of sources.filter((one) => packageOf(one) === name)) {
        const [, , , first, within] = file.split("/")
        const folder = within === undefined ? ROOT_FOLDER : first!
        if (folder === ROOT_FOLDER && circle.includes(ROOT_FOLDER)) continue
        const imported = [...read(file).matchAll(/from "(?:\.\.\/(?:(\w+)\/)?|\.\/(\w+)\/)\w+\.ts"/g)].map(
          ([, beside, below]) => beside ?? below ?? ROOT_FOLDER,
        )
        folders.set(folder, new Set([...(folders.get(folder) ?? []), ...imported.filter((one) => one !== folder)]))
      }
      // From both ends: what imports nothing that is left, and what nothing that is left imports.
      for (let left = Number.POSITIVE_INFINITY; folders.size < left;) {
        left = folders.size
        for (const [folder, imported] of folders)
          if (![...imported].some((other) => folders.has(other))) folders.delete(folder)
        for (const folder of folders.keys())
          if (![...folders.values()].some((imported) => imported.has(folder))) folders.delete(folder)
      }
      assert.includeMembers([...circle], [...folders.keys()])
    })

  it("has one writing package for each table", () => {
    const schema = files.filter((file) => /^migrations\/\d+_\w+\.sql$/.test(file)).map(read)
    const tables = [...schema.join().matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, table]) => table!)
    assert.sameMembers(tables, Object.keys(WRITER))
    for (const file of sources) {
      for (const [, table] of read(file).matchAll(
        /(?:insert into |delete from |^\s*update |`update |\btable: ")(\w+)/gm,
      )) {
        if (WRITER[table!] !== undefined) assert.strictEqual(WRITER[table!], packageOf(file), `${file} writes ${table}`)
      }
    }
  })

  it("imports the DBC SDK in one place, and reads the environment in one place", () => {
    const importing = (pattern: RegExp) => sources.filter((file) => pattern.test(read(file)))
    assert.deepStrictEqual(importing(/import\("@meteora-ag|from "@solana\/web3\.js"|from "bn\.js"/), [
      "packages/chain/src/dbc/DbcSdk.ts",
    ])
    assert.deepStrictEqual(importing(/process\.env/), ["packages/service/src/main.ts"])
  })

  it("checks the type of every handler's answers against its endpoint", () => {
    // Answers in the shapes of others have no schema.
    const own = sources.filter((file) => !file.startsWith("packages/server/src/compat/"))
    const untyped = own.filter((file) => /\.handleAll\(/.test(read(file)) && !/ satisfies Answering</.test(read(file)))
    assert.deepStrictEqual(untyped, [])
  })

  it("climbs at most one folder in an import, and pins every version exactly", () => {
    for (const file of sources) assert.notMatch(read(file), /from "\.\.\/\.\.\/(?!fixtures)/, file)
    const catalog = read("pnpm-workspace.yaml").split("catalog:")[1]!.split("\n\n")[0]!
    for (const [, version] of catalog.matchAll(/: (\S+)$/gm)) assert.match(version!, /^\d+\.\d+\.\d+(-[\w.]+)?$/)
  })

  it("names one version of pnpm, with the hash of its file, and runs no other", () => {
    const { packageManager } = JSON.parse(read("package.json")) as { readonly packageManager: string }
    const [, version] = /^pnpm@(\d+\.\d+\.\d+)\+sha512\.[0-9a-f]{128}$/.exec(packageManager) ?? []
    assert.isDefined(version)
    for (const file of files.filter((file) => !/\.(png|wasm|so|bin)$|^$/.test(file))) {
      const text = read(file)
      for (const [, called] of text.matchAll(/pnpm@([\w.-]+)/g)) assert.strictEqual(called, version, file)
      for (const [, called] of text.matchAll(/PNPM_VERSION=([\d.]+)/g)) assert.strictEqual(called, version, file)
    }
  })
})
