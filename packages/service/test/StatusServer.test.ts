import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { HttpServer } from "effect/http"
import type { AccessOptions } from "@launch-registry/server/access/AccessOptions"
import type { LimitOptions } from "@launch-registry/http/limits/ServerLimits"
import * as StatusServer from "../src/StatusServer.ts"
import { unstalledClock } from "../../chain/test/UnstalledClock.ts"
import { adminAccess, AS_ADMIN, keyOf } from "./access/TestAccess.ts"
import { checkedFetch } from "./ContractCheck.ts"
import { answersIn, openRaw, requestText } from "../../http/test/RawConnection.ts"

const chain = Layer.unwrap(
  Effect.map(LocalChain, ({ url }) => Rpc.layer({ urls: [Redacted.make(url)], genesisHash: "any" })),
).pipe(Layer.provide(LocalChain.layer({ stage: "mid" })), Layer.provide(unstalledClock))

const server = (limits: LimitOptions, access?: AccessOptions) =>
  StatusServer.layer({
    ...{ host: "127.0.0.1", port: 0, version: "0.0.0-test", network: "localnet" },
    ...{ gatewayUrl: "http://localhost:3001/ipfs", tradingRequiresWhitelist: false, limits },
    ...(access && { access }),
  }).pipe(Layer.provideMerge(TestDatabase.layer), Layer.provide(chain), Layer.provide(Logger.layer([])))

const urlOfServer = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => `http://127.0.0.1:${"port" in address ? address.port : 0}`,
)

layer(server({ addresses: { connections: 1 } }), { excludeTestServices: true })("The status server", (it) => {
  it.effect("has the limits of the API: connections per address, ignored upgrades", () =>
    Effect.gen(function* () {
      const url = yield* urlOfServer
      const upgrade = { connection: "upgrade", upgrade: "websocket" }
      const { socket, until } = yield* openRaw(url, requestText("POST", "/livez", {}, "a body"))
      yield* until(/\}$/)
      const other = Effect.gen(function* () {
        const connection = yield* openRaw(url, requestText("GET", "/livez", { connection: "close" }))
        return answersIn(yield* connection.closed)[0]?.status
      }).pipe(Effect.scoped)
      assert.strictEqual(yield* other, 429)
      socket.destroy()
      yield* other.pipe(
        Effect.filterOrFail((status) => status === 200),
        Effect.retry(Schedule.spaced("10 millis")),
      )
      const upgraded = yield* openRaw(url, requestText("GET", "/livez", upgrade)).pipe(
        Effect.flatMap(({ closed }) => closed),
        Effect.map((text) => answersIn(text)[0]),
        Effect.filterOrFail((answer) => answer?.status === 200),
        Effect.retry(Schedule.spaced("10 millis")),
      )
      assert.include(upgraded!.headers, "connection: close")
    }),
  )
})

const closed = server({}, adminAccess({ writeAuth: ["api-key"], keysFreshMillis: 50 }))

layer(closed, { excludeTestServices: true })("The status server", (it) => {
  it.effect("asks for the admin key, or one that may read, where the API does, for GET and for HEAD", () =>
    Effect.gen(function* () {
      const url = yield* urlOfServer
      const [writer, reader] = [yield* keyOf("write"), yield* keyOf("read")]
      const read = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
        Effect.promise(() => checkedFetch(`${url}${path}`, { method, headers }))
      const statusOf = (method: string, headers: Readonly<Record<string, string>>) =>
        Effect.map(read("/api/system/rpc", headers, method), ({ status }) => status)
      for (const path of ["/api/system/rpc", "/api/system/indexer"]) {
        const refused = yield* read(path)
        assert.deepStrictEqual([refused.status, refused.headers.get("www-authenticate")], [401, "Bearer"])
        assert.strictEqual((yield* read(path, AS_ADMIN)).status, 200)
      }
      for (const path of ["/", "/livez", "/readyz"]) assert.strictEqual((yield* read(path)).status, 200, path)
      yield* statusOf("GET", reader.headers).pipe(
        Effect.filterOrFail((status) => status === 200),
        Effect.retry(Schedule.spaced("20 millis")),
      )
      const heads = yield* Effect.forEach([reader.headers, writer.headers, {}], (headers) => statusOf("HEAD", headers))
      assert.deepStrictEqual(heads, [200, 403, 401])
    }),
  )
})
