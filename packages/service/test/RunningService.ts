import { type ChildProcess, spawn } from "node:child_process"
import { randomInt } from "node:crypto"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { commandFile } from "./CommandFile.ts"

/** A service in a process of its own. */
export interface Running {
  readonly process: ChildProcess
  readonly output: () => string
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
}

/** Below the ephemeral ports of operating systems: Linux begins at 32768, others at 49152. */
const [PORT_MIN, PORT_MAX] = [20_000, 32_000]

const isFree = (port: number) =>
  new Promise<boolean>((resolve) => {
    const server = createServer()
    server.once("error", () => resolve(false))
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)))
  })

/** A free port that no connection and no other test server gets before the service does. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = randomInt(PORT_MIN, PORT_MAX)
    if (await isFree(port)) return port
  }
}

/** Notes a process while it runs: when a test run is ended, `scripts/tidy-test-folder` ends those that are noted. */
const noted = (child: ChildProcess): void => {
  const folder = process.env.TEST_FOLDER
  if (folder === undefined || child.pid === undefined) return
  const note = join(folder, "pids", `${child.pid}`)
  mkdirSync(join(folder, "pids"), { recursive: true })
  writeFileSync(note, "")
  child.on("exit", () => rmSync(note, { force: true }))
}

/** Starts the service with only this environment, or another main file. Programs are cloned where a test says from where. */
export const run = (environment: Readonly<Record<string, string>>, main = commandFile("service")): Running => {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, CLONE_PROGRAMS: "off", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  })
  noted(child)
  let output = ""
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk))
  const ended = new Promise<number | string>((resolve) => child.on("exit", (code, signal) => resolve(code ?? signal!)))
  return { process: child, output: () => output, ended }
}

/** Several times the duration of a start on busy cores, but less than a test's timeout, so that the output is reported. */
const PATIENCE_MILLIS = 240_000

/** Resolves once the service answers, or fails with its output. */
export const answering = async (running: Running, url: string) => {
  for (const giveUpAt = Date.now() + PATIENCE_MILLIS; Date.now() < giveUpAt;) {
    const isUp = await fetch(`${url}/livez`, { signal: AbortSignal.timeout(5_000) }).then(
      (response) => response.ok,
      () => false,
    )
    if (isUp) return
    if (running.process.exitCode !== null || running.process.signalCode !== null) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`The service did not come up: ${running.output()}`)
}

/** The URL of a service's local chain, once it prints it. */
export const announcedChain = async (running: Running): Promise<string> => {
  while (running.process.exitCode === null && running.process.signalCode === null) {
    const [, url] = /local chain at (http:\S+),/.exec(running.output()) ?? []
    if (url !== undefined) return url
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(running.output())
}
