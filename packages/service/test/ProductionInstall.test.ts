import { spawn } from "node:child_process"
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const ROOT = fileURLToPath(new URL("../../..", import.meta.url))
const PACKAGES = [...globSync("packages/*", { cwd: ROOT }), "migrations"]

/** The packages of the workspace with their dependencies of production alone. */
const install = (folder: string): void => {
  cpSync(join(ROOT, "openapi.json"), join(folder, "openapi.json"))
  for (const path of PACKAGES) {
    const [from, to] = [join(ROOT, path), join(folder, path)]
    cpSync(from, to, { recursive: true, filter: (file) => !/\/(node_modules|test)$/.test(file) })
    const manifest = JSON.parse(readFileSync(join(from, "package.json"), "utf8")) as Record<string, object | undefined>
    for (const name of Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies })) {
      const installed = join(from, "node_modules", name)
      if (!existsSync(installed)) continue
      const ours = PACKAGES.find((one) => `@launch-registry/${one.replace("packages/", "")}` === name)
      const link = join(to, "node_modules", name)
      mkdirSync(dirname(link), { recursive: true })
      symlinkSync(ours === undefined ? realpathSync(installed) : join(folder, ours), link)
    }
  }
}

describe("A production install", () => {
  let folder = ""
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "registry-install-"))
    install(folder)
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  /** What a command says, and its exit code. */
  const run = (environment: Readonly<Record<string, string>>, ...command: ReadonlyArray<string>) =>
    new Promise<{ readonly code: number | null; readonly said: string }>((resolve) => {
      const child = spawn(process.execPath, command, { cwd: folder, env: { PATH: process.env.PATH, ...environment } })
      let said = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk))
      child.on("exit", (code) => resolve({ code, said: said.trim() }))
    })

  it("has no embedded parts, and says in one line what local mode lacks", async () => {
    const main = "packages/service/src/main.ts"
    const told = (settings: string) => ({
      code: 1,
      said:
        `RUN_MODE=local: a production install, such as the container image, has no embedded parts; ` +
        `set ${settings}, or RUN_MODE=production`,
    })
    assert.deepStrictEqual(await run({}, main), told("DATABASE_URL and RPC_URL"))
    const database = { DATABASE_URL: "postgres://registry@127.0.0.1:9/registry" }
    assert.deepStrictEqual(await run(database, main), told("RPC_URL"))
    assert.isFalse(existsSync(join(folder, ".data")))
  })
})
