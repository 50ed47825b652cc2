import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { brotliCompressSync, gzipSync } from "node:zlib"
import { SETTING_NAMES } from "../packages/service/src/Settings.ts"
import { listErrors } from "./ErrorList.ts"

/** `node scripts/Size.ts`: how large the repository is, in lines and parts, by what git has. */
const root = join(import.meta.dirname, "..")
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trimEnd().split("\n")
const read = (path: string) => readFileSync(join(root, path), "utf8")
const linesOf = (paths: ReadonlyArray<string>) =>
  paths.reduce((sum, path) => sum + read(path).split("\n").length - 1, 0)

const isTest = (path: string) => /\.test\.ts$|\/(test|fixtures)\//.test(path)
const code = files.filter((path) => /\.(ts|js|css|html|sql)$/.test(path))
const sources = code.filter((path) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path))
const migrations = code.filter((path) => /^migrations\/.*\.sql$/.test(path))
const benches = code.filter((path) => path.startsWith("bench/"))
const documents = files.filter((path) => path.endsWith(".md"))
const tables = new Set(
  migrations.flatMap((path) => [...read(path).matchAll(/^create (?:unlogged )?table (\w+)/gm)].map(([, name]) => name)),
)
const openApi = JSON.parse(read("openapi.json")) as { readonly paths: Readonly<Record<string, object>> }
const minified = JSON.stringify(openApi)
const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`

const rows: ReadonlyArray<readonly [string, string | number]> = [
  ...[...new Set(sources.map((path) => path.split("/")[1]!))].map(
    (name) => [`packages/${name}/src`, linesOf(sources.filter((path) => path.split("/")[1] === name))] as const,
  ),
  ["packages/*/src, written by hand", linesOf(sources)],
  [
    "the same without console, and migrations",
    linesOf(sources.filter((path) => path.split("/")[1] !== "console")) + linesOf(migrations),
  ],
  ["migrations, files", migrations.length],
  ["migrations, lines", linesOf(migrations)],
  ["tests and their fixtures in code", linesOf(code.filter((path) => isTest(path) && !path.startsWith("bench/")))],
  ["benches, files", benches.length],
  ["benches, lines", linesOf(benches)],
  ["documents, lines", linesOf(documents)],
  ["packages", new Set(files.flatMap((path) => /^packages\/([^/]+)\/package\.json$/.exec(path)?.[1] ?? [])).size],
  ["tables", tables.size],
  ["settings", SETTING_NAMES.length],
  ["error codes", new Set((await listErrors()).map(({ code }) => code)).size],
  ["operations", Object.values(openApi.paths).reduce((sum, path) => sum + Object.keys(path).length, 0)],
  ["openapi.json in git", kilobytes(Buffer.byteLength(read("openapi.json")))],
  ["openapi.json minified", kilobytes(Buffer.byteLength(minified))],
  [
    "openapi.json by gzip, by brotli",
    `${kilobytes(gzipSync(minified).length)}, ${kilobytes(brotliCompressSync(minified).length)}`,
  ],
]
process.stdout.write(`| | |\n|---|---:|\n${rows.map(([name, value]) => `| ${name} | ${value} |\n`).join("")}`)
