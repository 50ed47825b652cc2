import { spawn } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { cpus, tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import { parseArgs } from "node:util"
import { freePort } from "../../packages/service/test/RunningService.ts"
import { cpuMillisOf, processesOf } from "../Processes.ts"
import { median } from "../Quantiles.ts"

/**
 * README's start of this checkout and of another one in turn, everything embedded, until `/readyz` answers 200. The first start of each, which
 * creates the data, is not counted.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "5" },
    against: { type: "string", multiple: true, default: [] },
  },
})
const ROOT = join(import.meta.dirname, "../..")
const { packageManager } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { packageManager: string }
const PNPM = packageManager.split("+")[0]!

const isReady = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

const started = async (checkout: string, dataFolder: string) => {
  const port = await freePort()
  const began = performance.now()
  const { pid } = spawn("npx", ["--yes", PNPM, "start"], {
    // A session of its own: npx passes no signal on to pnpm.
    ...{ cwd: checkout, detached: true, stdio: "ignore" },
    env: { ...process.env, PORT: String(port), DATA_FOLDER: dataFolder, CLONE_PROGRAMS: "off" },
  })
  const session = pid!
  try {
    while (!(await isReady(port))) {
      if (processesOf(session).length === 0) throw new Error(`${checkout} did not start`)
      await pause(10)
    }
    const millis = performance.now() - began
    return { millis, cpuMillis: processesOf(session).reduce((sum, one) => sum + cpuMillisOf(one), 0) }
  } finally {
    // npx ends by it, and pnpm passes it on to the service.
    if (processesOf(session).includes(session)) process.kill(-session, "SIGTERM")
    while (processesOf(session).length > 0) await pause(50)
  }
}

const checkouts = [ROOT, ...values.against.map((path) => resolve(path))]
const folders = checkouts.map(() => mkdtempSync(join(tmpdir(), "registry-start-")))
try {
  const rounds = checkouts.map(() => new Array<Awaited<ReturnType<typeof started>>>())
  for (const [at, checkout] of checkouts.entries()) await started(checkout, folders[at]!)
  for (let round = 0; round < Number(values.rounds); round++)
    for (const [at, checkout] of checkouts.entries()) rounds[at]!.push(await started(checkout, folders[at]!))
  const say = (text: string) => void process.stdout.write(`${text}\n`)
  say(`${values.rounds} rounds; ${cpus().length} cores, Node ${process.version}.\n`)
  say("| medians | start, ms | CPU of npx, pnpm and the service, ms |\n|---|---:|---:|")
  for (const [at, all] of rounds.entries()) {
    const of = (figure: "millis" | "cpuMillis") => median(all.map((one) => one[figure])).toFixed(0)
    say(`| ${at === 0 ? "this checkout" : checkouts[at]} | ${of("millis")} | ${of("cpuMillis")} |`)
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
}
