import { existsSync, globSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const ROOT = join(import.meta.dirname, "..")

/** Slow imports: the test server of PostgreSQL, processes, and the local chain. */
const HEAVY = /\binject\("postgres|"node:child_process"|"litesvm"/
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

/** Test files that reach nothing heavy through their imports. */
export const unitTests = (files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const imports = new Map<string, ReadonlyArray<string> | undefined>()
  /** Which of our files a file imports; `undefined` when it is heavy itself. */
  const importsOf = (file: string) => {
    if (!imports.has(file)) {
      const path = join(ROOT, file)
      const text = file.endsWith(".ts") && existsSync(path) ? readFileSync(path, "utf8") : ""
      const found = [...text.matchAll(IMPORT)].flatMap(([, ...names]) => fileOf(file, names.find(Boolean)!) ?? [])
      imports.set(file, HEAVY.test(text) ? undefined : found)
    }
    return imports.get(file)
  }
  const isLight = (test: string): boolean => {
    const seen = new Set([test])
    for (const file of seen) {
      const found = importsOf(file)
      if (found === undefined) return false
      for (const one of found) seen.add(one)
    }
    return true
  }
  return files.filter((file) => !SLOW.has(file) && isLight(file))
}

export const testFiles = (): ReadonlyArray<string> =>
  globSync(["migrations/test/**/*.test.ts", "packages/*/test/**/*.test.ts", "scripts/**/*.test.ts"], {
    cwd: ROOT,
  }).sort()
