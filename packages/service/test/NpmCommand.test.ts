import { spawn } from "node:child_process"
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { commandOutput } from "./CommandOutput.ts"

const START = join(import.meta.dirname, "../../../bundle/Start.ts")

describe("The command of the npm package", () => {
  const folder = mkdtempSync(join(tmpdir(), "registry-command-"))
  const command = join(folder, "Start.ts")
  beforeAll(() => {
    copyFileSync(START, command)
    writeFileSync(join(folder, "package.json"), '{"type":"module"}')
    writeFileSync(
      join(folder, "service.mjs"),
      `setInterval(() => undefined, 1000)
process.on("SIGTERM", () => { console.log("told to end"); process.exit(0) })
console.log("started")
`,
    )
    writeFileSync(join(folder, "keys.mjs"), "console.log(process.argv.slice(2).join())\n")
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))

  it("runs a command with its arguments, and names them all where there is none of that name", async () => {
    assert.deepStrictEqual(await commandOutput(command, ["keys", "list", "--all"]), {
      ...{ code: 0, out: "list,--all\n", err: "" },
    })
    const unknown = await commandOutput(command, ["start"])
    assert.strictEqual(unknown.code, 2)
    assert.match(unknown.err, /no command "start"; there are: service, migrate, indexer, keys/)
  })

  it("ends the service when npx is told to end, which tells its shell alone", async () => {
    const shell = spawn("sh", ["-c", `"${process.execPath}" "${command}"; true`], {
      env: { PATH: process.env.PATH, npm_command: "exec" },
      stdio: ["ignore", "pipe", "inherit"],
    })
    // The end of the output is the end of the service: it has the shell's.
    shell.stdout.once("data", () => shell.kill("SIGTERM"))
    assert.strictEqual(await text(shell.stdout), "started\ntold to end\n")
  })
})
