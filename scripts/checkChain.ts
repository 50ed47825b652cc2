/**
 * `pnpm chain-check`: which packages that know the chain are newer than ours, and what of their IDLs is not known here. Exits with 1 if
 * there is anything, and with 2 if the registry cannot be reached.
 */
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { CHAIN_PACKAGES, chainNews } from "./ChainPackages.ts"

const ROOT = join(import.meta.dirname, "..")
const folder = mkdtempSync(join(tmpdir(), "registry-chain-packages-"))
try {
  const code = globSync("packages/chain/src/**/*.ts", { cwd: ROOT }).map((file) =>
    readFileSync(join(ROOT, file), "utf8"),
  )
  const lockfile = readFileSync(join(ROOT, "pnpm-lock.yaml"), "utf8")
  const news = await chainNews(CHAIN_PACKAGES, { code: code.join("\n"), folder, lockfile })
  const row = (name: string, ours: string, newest: string, unknown: string) =>
    process.stdout.write(`${name.padEnd(38)} ${ours.padEnd(10)} ${newest.padEnd(10)} ${unknown}\n`)
  row("package", "ours", "newest", "unknown")
  for (const { name, newest, ours = "not used", unknown } of news) {
    row(name, ours, newest, String(unknown.length))
    for (const one of unknown) process.stdout.write(`  ${one}\n`)
  }
  if (news.some(({ unknown }) => unknown.length > 0)) process.exitCode = 1
} catch (error) {
  process.stderr.write(
    `the registry does not answer as expected: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exitCode = 2
} finally {
  rmSync(folder, { recursive: true, force: true })
}
