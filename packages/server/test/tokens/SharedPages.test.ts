import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { sampleAddress, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { create } from "./TokenRequests.ts"

const textOf = Effect.fnUntraced(function* (path: string) {
  const { fetch } = yield* TestServer
  const response = yield* fetch(path)
  assert.strictEqual(response.status, 200, path)
  return yield* Effect.promise(() => response.text())
})

const together = <A, E, R>(reads: ReadonlyArray<Effect.Effect<A, E, R>>) =>
  Effect.all(reads, { concurrency: "unbounded" })

layer(TestServer.layer(), { timeout: "60 seconds" })("Pages that many ask for at once", (it) => {
  it.effect("have what each of them wrote before", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const path = "/api/tokens?limit=10"
      for (let round = 0; round < 8; round++) {
        const others = yield* Effect.forkChild(together(Array.from({ length: 20 }, () => textOf(path))))
        const { body } = yield* request("/api/tokens", { json: tokenDraft({ name: `Round ${round}` }) })
        const mine = yield* Effect.forkChild(together(Array.from({ length: 5 }, () => textOf(path))))
        for (const text of yield* Fiber.join(mine)) assert.include(text, body.data.id)
        yield* Fiber.join(others)
      }
    }),
  )

  it.effect("are those that they asked for", () =>
    Effect.gen(function* () {
      const owners = Array.from({ length: 3 }, sampleAddress)
      for (const owner of owners) for (let count = 0; count < 4; count++) yield* create({ owner, tags: ["shared"] })
      const paths = [
        ...owners.flatMap((owner) => [`/api/tokens/address/${owner}?limit=2`, `/api/tokens/address/${owner}?limit=3`]),
        ...["/api/tokens?limit=5&tag=shared", "/api/tokens?limit=6&tag=shared", "/api/tokens/search?q=sample&limit=5"],
        ...["/api/tokens/popular", "/api/tokens/popular?limit=3", "/api/transactions?limit=5"],
      ]
      const alone = new Map<string, string>()
      for (const path of paths) alone.set(path, yield* textOf(path))
      assert.isAtLeast(new Set(alone.values()).size, paths.length - 1)
      const asked = Array.from({ length: 120 }, (_, at) => paths[at % paths.length]!)
      const answers = yield* together(asked.map(textOf))
      for (const [at, text] of answers.entries()) assert.strictEqual(text, alone.get(asked[at]!), asked[at])
    }),
  )

  it.effect("are answered to those who stay when others leave", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const path = "/api/tokens?limit=10"
      const expected = yield* textOf(path)
      for (let round = 0; round < 3; round++) {
        const aborts = Array.from({ length: 20 }, () => new AbortController())
        const leaving = aborts.map(({ signal }) => fetch(`${url}${path}`, { signal }).catch(() => undefined))
        const staying = yield* Effect.forkChild(together(Array.from({ length: 20 }, () => textOf(path))))
        yield* Effect.yieldNow
        for (const abort of aborts) abort.abort()
        for (const text of yield* Fiber.join(staying)) assert.strictEqual(text, expected)
        yield* Effect.promise(() => Promise.all(leaving))
      }
    }),
  )
})
