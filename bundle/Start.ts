/**
 * `token-launch-registry [command] [arguments…]`, the command of the npm package; without a name, the service. It is started by any
 * Node.js from 20 on: an older one than the service is tested with starts the one that is installed beside the package.
 */
import { spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const NODE_MAJOR = 24
const COMMANDS = ["service", "migrate", "indexer", "keys"]

/** The Node.js of npm that is installed with the package, where there is one for this platform. */
const installedNode = (): string | undefined => {
  try {
    const manifest = createRequire(import.meta.url).resolve(`node-${process.platform}-${process.arch}/package.json`)
    const node = join(dirname(manifest), "bin", "node")
    return existsSync(node) ? node : undefined
  } catch {
    return undefined
  }
}

/**
 * `npx` passes SIGTERM to its shell alone, which ends and leaves this process to another parent. Only there: who starts a service otherwise
 * may leave it running.
 */
const endWithNpx = (): void => {
  if (process.env["npm_command"] !== "exec") return
  const parent = process.ppid
  const watched = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watched)
    process.kill(process.pid, "SIGTERM")
  }, 200)
  watched.unref()
}

/** Ends as `node` ended, and ends it when this process is told to end. */
const runWith = (node: string, file: string, args: ReadonlyArray<string>): void => {
  const child = spawn(node, [file, ...args], { stdio: "inherit" })
  for (const signal of ["SIGTERM", "SIGHUP"] as const) process.on(signal, () => child.kill(signal))
  // A terminal sends it to both.
  process.on("SIGINT", () => undefined)
  child.on("error", ({ message }) => fail(message))
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 1
    if (signal !== null) process.stderr.write(`The process was ended by ${signal}\n`)
  })
}

const fail = (reason: string): void => {
  process.stderr.write(`${reason}\n`)
  process.exitCode = 2
}

const [first = "service", ...rest] = process.argv.slice(2)
const file = join(dirname(fileURLToPath(import.meta.url)), `${first}.mjs`)
const node = Number(process.versions.node.split(".")[0]) < NODE_MAJOR ? installedNode() : process.execPath
if (!COMMANDS.includes(first))
  fail(
    `There is no command ${JSON.stringify(first)}; there are: ${COMMANDS.join(", ")}. Without one, the service starts`,
  )
else if (node === undefined)
  fail(
    `The service needs Node.js ${NODE_MAJOR} or newer on ${process.platform}-${process.arch}, and this is ${process.version}`,
  )
else if (node === process.execPath) {
  process.argv = [node, file, ...rest]
  endWithNpx()
  await import(file)
} else {
  endWithNpx()
  runWith(node, file, rest)
}
