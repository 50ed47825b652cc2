import { request as httpRequest } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import { migrated } from "@launch-registry/migrations/TestDatabase"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { checkedFetch } from "./ContractCheck.ts"
import { rollingRound } from "./rolling/RollingRound.ts"
import { answering, freePort, run } from "./RunningService.ts"

/** Longer than this process and the services can stand still on a busy machine; no assertion rests on it. */
const DELAY_SECONDS = 4

describe("A service that is asked to stop", () => {
  it.live.each(["api", "indexer"])("is not ready at once, and still answers, connection by connection (%s)", (ROLE) =>
    Effect.gen(function* () {
      const database = yield* migrated
      const port = yield* Effect.promise(freePort)
      const url = `http://127.0.0.1:${port}`
      const service = yield* Effect.acquireRelease(
        Effect.sync(() =>
          run({
            DATABASE_URL: `postgres://${inject("postgresUsername")}@localhost/${database}?host=${inject("postgresSockets")}`,
            ...{ ROLE, PORT: String(port), RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
            SHUTDOWN_DELAY_SECONDS: "300",
          }),
        ),
        ({ process: child }) => Effect.sync(() => child.kill("SIGKILL")),
      )
      yield* Effect.promise(async () => {
        await answering(service, url)
        while (!(await checkedFetch(`${url}/readyz`)).ok) await sleep(20)
        const before = await headersOf(port, "/livez")
        assert.notStrictEqual(before.connection, "close")
        service.process.kill("SIGTERM")
        while ((await checkedFetch(`${url}/readyz`)).ok) await sleep(20)
        const response = await checkedFetch(`${url}/readyz`)
        assert.strictEqual(response.status, 503)
        const answer = (await response.json()) as { readonly code: string; readonly message: string }
        assert.deepInclude(answer, { code: "not_ready", message: "Not ready: the service is stopping" })
        for (const path of ["/livez", "/", "/nowhere"])
          assert.strictEqual((await headersOf(port, path)).connection, "close", path)
        assert.strictEqual((await checkedFetch(`${url}/api/system/indexer`)).status, 200)
        assert.isNull(service.process.exitCode)
      })
    }).pipe(Effect.scoped),
  )
})

/** Headers of an answer over a connection that would be kept alive. */
const headersOf = (port: number, path: string) =>
  new Promise<Readonly<Record<string, unknown>>>((resolve, reject) => {
    const request = httpRequest(
      { host: "127.0.0.1", port, path, headers: { connection: "keep-alive" } },
      (response) => {
        response.resume()
        response.once("end", () => resolve(response.headers))
      },
    )
    request.once("error", reject)
    request.end()
  })

describe("A rolling restart of two replicas", () => {
  it.live("fails no request of a client that never tries again, and loses no write", () =>
    Effect.gen(function* () {
      const figures = yield* rollingRound({
        ...{
          rounds: 1,
          workers: 4,
          pauseMillis: 0,
          delaySeconds: DELAY_SECONDS,
          checkMillis: 50,
          requestsBetween: 100,
        },
      })
      assert.deepStrictEqual([...figures.failures], [])
      assert.deepStrictEqual(figures.exitCodes, [0, 0])
      assert.strictEqual(figures.rows, figures.writes)
      assert.isAbove(figures.writes, 100)
      assert.isTrue(figures.targets.every((connections) => connections > 0))
    }).pipe(Effect.scoped),
  )
})
