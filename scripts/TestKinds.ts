import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { isSweep } from "./Laws.ts"

const ROOT = join(import.meta.dirname, "..")

/** Slow imports: the test server of PostgreSQL, processes, and the local chain. */
const HEAVY = /\binject\("postgres|"node:child_process"|"litesvm"/
/** What starts the service or one of its commands in a process of its own. */
const COMMANDS = "packages/service/test/CommandFile.ts"
const IMPORT = /^\s*(?:import|export)\s(?!type\b)[^"]*?"([^"]+)"|\bimport\("([^"]+)"\)|^\s*\} from "([^"]+)"/gm

/** Light imports, but too slow for a run of seconds: laws over many inputs, large contents, pauses in real time. */
const SLOW = new Set([
  "packages/bridge/test/intents/IntentsClientFaults.test.ts",
  "packages/bridge/test/intents/QuoteSignature.test.ts",
  "packages/bridge/test/intents/SwapOutcomeLaws.test.ts",
  "packages/chain/test/launch/GeneratedPools.test.ts",
  "packages/chain/test/rpc/Clusters.test.ts",
  "packages/chain/test/rpc/Connections.test.ts",
  "packages/chain/test/rpc/Hedging.test.ts",
  "packages/chain/test/rpc/KnownSlots.test.ts",
  "packages/chain/test/rpc/Probing.test.ts",
  "packages/chain/test/rpc/Resilience.test.ts",
  "packages/chain/test/rpc/Visibility.test.ts",
  "packages/http/test/StalledResponses.test.ts",
  "packages/indexer/test/GenerateTransactions.test.ts",
  "packages/indexer/test/ReadBody.test.ts",
  "packages/indexer/test/Segment.test.ts",
  "packages/ipfs/test/DagBuilder.test.ts",
  "packages/ipfs/test/filebase/FilebaseBackend.test.ts",
  "packages/ipfs/test/filebase/FilebaseFaults.test.ts",
  "packages/ipfs/test/filebase/FilebaseSecrets.test.ts",
  "packages/ipfs/test/images/Inflating.test.ts",
  "packages/ipfs/test/images/StripMetadata.test.ts",
  "packages/ipfs/test/w3up/W3upBackend.test.ts",
])

/** The file of one of our modules; `undefined` for others. */
const fileOf = (from: string, specifier: string): string | undefined => {
  if (specifier.startsWith(".")) return join(dirname(from), specifier)
  const [, name, path] = /^@launch-registry\/(\w+)\/(.+)$/.exec(specifier) ?? []
  if (name === undefined) return undefined
  return join(name === "migrations" ? name : join("packages", name), "src", `${path}.ts`)
}

interface Module {
  readonly isHeavy: boolean
  readonly imports: ReadonlyArray<string>
}

const modules = new Map<string, Module>()

const moduleOf = (file: string): Module => {
  const known = modules.get(file)
  if (known !== undefined) return known
  const path = join(ROOT, file)
  const text = file.endsWith(".ts") && existsSync(path) ? readFileSync(path, "utf8") : ""
  const imports = [...text.matchAll(IMPORT)].flatMap(([, ...names]) => fileOf(file, names.find(Boolean)!) ?? [])
  const module = { isHeavy: HEAVY.test(text), imports }
  modules.set(file, module)
  return module
}

/** Laws over random examples. */
const LAW = /\.prop\(|\bscripts\/Laws\.ts"/

/** A file and all that it imports. */
const reached = (file: string): ReadonlySet<string> => {
  const files = new Set([file])
  for (const one of files) for (const imported of moduleOf(one).imports) files.add(imported)
  return files
}

/**
 * All test files, by what they reach through their imports: `processes` start the service or its commands, `unit` reach nothing heavy, and
 * `database` are all others, but those of the indexer: workers that live long take more CPU.
 */
export const testKinds = (): Readonly<Record<"processes" | "indexer" | "database" | "unit", ReadonlyArray<string>>> => {
  const files = globSync(
    [
      "migrations/test/**/*.test.ts",
      "apps/*/test/**/*.test.ts",
      "packages/*/test/**/*.test.ts",
      "scripts/**/*.test.ts",
    ],
    {
      cwd: ROOT,
    },
  ).sort()
  const chosen = isSweep ? files.filter((file) => LAW.test(readFileSync(join(ROOT, file), "utf8"))) : files
  const {
    database = [],
    indexer = [],
    processes = [],
    unit = [],
  } = Object.groupBy(chosen, (file) => {
    const all = reached(file)
    if (all.has(COMMANDS)) return "processes"
    if (!SLOW.has(file) && ![...all].some((one) => moduleOf(one).isHeavy)) return "unit"
    return file.startsWith("packages/indexer/") ? "indexer" : "database"
  })
  return { processes, indexer, database, unit }
}
