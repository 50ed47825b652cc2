import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { setTimeout as pause } from "node:timers/promises"
import type { BenchAddress } from "../ingest/BenchDatabase.ts"

const START_MILLIS_MAX = 60_000

/** The api role of a checkout as it is deployed: each request is a line of JSON, to a pipe that is read here. */
export const readService = async (options: {
  readonly checkout: string
  readonly port: number
  readonly database: BenchAddress
  readonly isLogged: boolean
}) => {
  const { database, username, socketDirectory } = options.database
  const child = spawn(process.execPath, [join(options.checkout, "packages/service/src/main.ts")], {
    env: {
      ...{ PATH: process.env.PATH, PORT: String(options.port), ROLE: "api", LOG_LEVEL: "info" },
      DATABASE_URL: `postgres://${username}@localhost/${database}?host=${socketDirectory}`,
      ...{ NETWORK: "localnet", RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
      ACCESS_LOG: String(options.isLogged),
    },
    stdio: ["ignore", "pipe", "pipe"],
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (chunk) => (output = `${output}${chunk}`.slice(-10_000)))
  const url = `http://127.0.0.1:${options.port}`
  const isUp = () =>
    fetch(`${url}/livez`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (const until = Date.now() + START_MILLIS_MAX; !(await isUp()); await pause(50))
    if (Date.now() > until || child.exitCode !== null) throw new Error(`The service did not come up: ${output}`)
  const stop = async () => {
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }
  return { url, pid: child.pid!, stop }
}
