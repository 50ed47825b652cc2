import { request as httpRequest } from "node:http"
import { migrated } from "@launch-registry/migrations/TestDatabase"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkedFetch } from "./ContractCheck.ts"
import { testUrlOf } from "./DatabaseUrls.ts"
import { rollingRound } from "./rolling/RollingRound.ts"
import { startedService } from "./StartedService.ts"
import { until } from "./UntilAnswer.ts"

describe("A service that is asked to stop", () => {
  it.live.each(["api", "indexer"])("is not ready at once, and still answers, connection by connection (%s)", (ROLE) =>
    Effect.gen(function* () {
      const database = yield* migrated
      const { port, running, url } = yield* startedService({
        ...{ DATABASE_URL: testUrlOf(database), ROLE, RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" },
        SHUTDOWN_DELAY_SECONDS: "300",
      })
      yield* Effect.addFinalizer(() => Effect.sync(() => running.process.kill("SIGKILL")))
      yield* Effect.promise(async () => {
        const isReady = async () => (await checkedFetch(`${url}/readyz`)).ok
        await until(isReady)
        const before = await headersOf(port, "/livez")
        assert.notStrictEqual(before.connection, "close")
        running.process.kill("SIGTERM")
        await until(async () => !(await isReady()))
        const response = await checkedFetch(`${url}/readyz`)
        assert.strictEqual(response.status, 503)
        const answer = (await response.json()) as { readonly code: string; readonly message: string }
        assert.deepInclude(answer, { code: "not_ready", message: "Not ready: the service is stopping" })
        for (const path of ["/livez", "/", "/nowhere"])
          assert.strictEqual((await headersOf(port, path)).connection, "close", path)
        assert.strictEqual((await checkedFetch(`${url}/api/system/indexer`)).status, 200)
        assert.isNull(running.process.exitCode)
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
      const figures = yield* rollingRound
      assert.deepStrictEqual([...figures.failures], [])
      assert.deepStrictEqual(figures.exitCodes, [0, 0])
      assert.strictEqual(figures.rows, figures.writes)
      assert.isAbove(figures.writes, 100)
      assert.isTrue(figures.targets.every((connections) => connections > 0))
    }).pipe(Effect.scoped),
  )
})
