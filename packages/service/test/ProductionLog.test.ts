import { spawnSync } from "node:child_process"
import { migrated } from "@launch-registry/migrations/TestDatabase"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { commandFile } from "./CommandFile.ts"
import { freePort, run } from "./RunningService.ts"

/** A line as production writes it. */
interface Line {
  readonly message: string
  readonly level: string
  readonly annotations: Readonly<Record<string, unknown>>
}

/** Production without a chain that answers. */
const production = Effect.map(migrated, (database) => ({
  ...{ RUN_MODE: "production", HOST: "127.0.0.1", NETWORK: "localnet", RPC_GENESIS_HASH: "any" },
  ...{ RPC_URL: "http://127.0.0.1:9/?api-key=CANARY", PUBLIC_URL: "https://api.example" },
  DATABASE_URL: `postgres://${inject("postgresUsername")}@localhost/${database}?host=${inject("postgresSockets")}`,
}))

/** Everything that was written, each line read as JSON. */
const linesOf = (output: string): ReadonlyArray<Line> =>
  output
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line)

/** Runs a service until it has stopped by SIGTERM; `use` has what it has written so far. */
const ran = Effect.fnUntraced(function* (
  environment: Readonly<Record<string, string>>,
  use: (url: string, output: () => string) => Promise<void>,
) {
  const port = yield* Effect.promise(freePort)
  const service = yield* Effect.acquireRelease(
    Effect.sync(() => run({ ...environment, PORT: String(port) })),
    ({ process: child }) => Effect.sync(() => child.kill("SIGKILL")),
  )
  yield* Effect.promise(async () => {
    while (!service.output().includes("Token Launch Registry is up")) {
      assert.isNull(service.process.exitCode, service.output())
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    await use(`http://127.0.0.1:${port}`, service.output)
  })
  service.process.kill("SIGTERM")
  assert.strictEqual(yield* Effect.promise(() => service.ended), 0, service.output())
  const output = service.output()
  assert.notInclude(output, "CANARY")
  return { port, lines: linesOf(output) }
})

const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 20))
}

const named = (lines: ReadonlyArray<Line>, message: string) => lines.filter((line) => line.message.startsWith(message))

describe("The log in production", () => {
  it.live("is JSON line by line: the start, each request without its secrets, and the stop", () =>
    Effect.gen(function* () {
      const { lines, port } = yield* ran({ ...(yield* production), ROLE: "api" }, async (url, output) => {
        for (const path of ["/livez", "/readyz", "/metrics"]) await fetch(`${url}${path}`)
        await fetch(`${url}/api/tokens?limit=1&search=CANARY`)
        const headers = { authorization: "CANARY", "content-type": "application/json", "x-request-id": "mine" }
        await fetch(`${url}/api/tokens`, { method: "POST", headers, body: JSON.stringify({ name: "CANARY" }) })
        await fetch(`${url}/.env?key=CANARY`)
        await until(() => output().split("Request completed").length === 4)
      })
      const [started] = named(lines, "Token Launch Registry is up")
      assert.deepInclude(started!.annotations, {
        ...{ role: "api", network: "localnet", listening: `127.0.0.1:${port}` },
        ipfs: "embedded, in the database, read at https://api.example/ipfs/<cid>",
      })
      assert.match(String(started!.annotations.version), /^\d+\.\d+\.\d+$/)
      const requests = named(lines, "Request completed").map(({ annotations }) => annotations)
      assert.deepStrictEqual(
        requests.map(({ method, path, route, status }) => [method, route, path, status]),
        [
          ["GET", "/api/tokens", "/api/tokens", 400],
          ["POST", "/api/tokens", "/api/tokens", 400],
          ["GET", "unmatched", "/.env", 404],
        ],
      )
      for (const { bytes, caller, millis, requestId } of requests) {
        assert.isAbove(bytes as number, 100)
        assert.isAtLeast(millis as number, 0)
        assert.strictEqual(caller, "127.0.0.1")
        assert.match(requestId as string, /^(mine\.)?[0-9a-f-]{36}$/)
      }
      assert.match(requests[1]!.requestId as string, /^mine\./)
      assert.deepStrictEqual(named(lines, "Stopping")[0]!.annotations, { signal: "SIGTERM" })
      assert.strictEqual(lines.at(-1)!.message, "Stopped")
    }).pipe(Effect.scoped),
  )

  it.live("has what makes a start fail", () =>
    Effect.gen(function* () {
      const settings = yield* production
      const failing = (environment: Readonly<Record<string, string>>) => {
        const { status, stderr, stdout } = spawnSync(process.execPath, [commandFile("service")], {
          env: environment,
          encoding: "utf8",
        })
        assert.strictEqual(status, 1)
        assert.strictEqual(stderr, "")
        return linesOf(stdout).at(-1)!
      }
      const invalid = failing({ ...settings, PORT: "x", RPC_URLS: "CANARY" })
      assert.strictEqual(invalid.level, "FATAL")
      assert.match(invalid.message, /^Invalid settings:\n {2}- PORT: expected a port number/)
      const refused = failing({ ...settings, HOST: "192.0.2.1", PORT: String(yield* Effect.promise(freePort)) })
      assert.match(refused.message, /^Cannot listen on port \d+ of 192.0.2.1: HOST is not an address of this machine$/)
    }),
  )
})
