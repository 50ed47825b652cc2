import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { answersIn, openRaw, requestText } from "../../../http/test/RawConnection.ts"
import { sampleAddress, SOL } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { admitted } from "../stream/EventReader.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { openSocket, type TemplateSocket } from "./TemplateSocket.ts"

const PATH = "/compat/datapi/ws"

const handshake = (headers: Readonly<Record<string, string>> = {}) =>
  requestText("GET", PATH, {
    ...{ connection: "upgrade", upgrade: "websocket", "sec-websocket-version": "13" },
    ...{ "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==", ...headers },
  })

/** A launch in the index, in none of the lists yet. */
const launched = Effect.fnUntraced(function* (fields: object = {}) {
  const sql = yield* SqlClient
  const launch = { pool: sampleAddress(), baseMint: sampleAddress(), config: sampleAddress(), ...fields }
  yield* sql`insert into dbc_pools ${sql.insert({
    ...{ quoteMint: SOL, creator: sampleAddress(), name: "Sample", symbol: "SMPL", uri: "", poolType: 0, decimals: 6 },
    ...{ createdSlot: 0n, createdAt: new Date(0), ...launch },
  })}`
  return launch
})

const tokenOf = ({ baseMint, pool }: { readonly baseMint: string; readonly pool: string }) =>
  sampleChange("token", baseMint, { pool })

const tradeOf = ({ baseMint, pool }: { readonly baseMint: string; readonly pool: string }, fields = {}) =>
  sampleChange("trade", baseMint, { pool, baseAmount: "2500000", ...fields })

layer(TestServer.layer({ hasDatapi: true, stream: { pollMillis: 5 } }), { excludeTestServices: true })(
  "The socket of the data API",
  (it) => {
    it.effect("tells of new launches and of what changes of them, of all or of some configurations", () =>
      Effect.gen(function* () {
        const [wanted, other] = [yield* launched(), yield* launched()]
        const [all, some, none] = [yield* openSocket(), yield* openSocket(), yield* openSocket()]
        // As on opening: with lists that are empty.
        for (const socket of [all, some]) yield* socket.send({ type: "subscribe:txns", assets: [] })
        yield* all.send({ type: "subscribe:recent", filters: { partnerConfigs: [] } })
        yield* some.send({ type: "subscribe:recent", filters: { partnerConfigs: [wanted.config] } })
        yield* none.send({ type: "subscribe:recent", filters: { partnerConfigs: [] } })
        yield* none.send({ type: "unsubscribe:recent" })
        for (const socket of [all, some, none]) yield* socket.taken
        const told = (type: string, mint: string, sockets: ReadonlyArray<TemplateSocket>) =>
          Effect.forEach(sockets, ({ next }) =>
            Effect.map(next, (message) => {
              assert.strictEqual(message.type, "updates")
              assert.lengthOf(message.data, 1)
              assert.deepStrictEqual([message.data[0].type, message.data[0].pool.baseAsset.id], [type, mint])
            }),
          )
        yield* commitChanges(tokenOf(other), tradeOf(other))
        yield* told("new", other.baseMint, [all])
        yield* commitChanges(tokenOf(wanted))
        yield* told("new", wanted.baseMint, [all, some])
        yield* commitChanges(tradeOf(wanted), tradeOf(wanted))
        yield* told("update", wanted.baseMint, [all, some])
        // It gets what comes next, so it got nothing of these.
        yield* none.send({ type: "subscribe:txns", assets: [wanted.baseMint] })
        yield* none.taken
        yield* commitChanges(tradeOf(wanted))
        assert.strictEqual((yield* none.next).type, "actions")
      }),
    )

    it.effect("tells a token page of its pool, of its graduation, and of its trades one by one", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [launch, other] = [yield* launched(), yield* launched()]
        const { fetch } = yield* TestServer
        const page = yield* openSocket()
        yield* page.send({ type: "subscribe:pool", pools: [launch.pool] })
        yield* page.send({ type: "subscribe:txns", assets: [launch.baseMint] })
        yield* page.taken
        const [buy, sell] = [tradeOf(launch), tradeOf(launch, { side: "SELL" })]
        yield* commitChanges(tradeOf(other), buy, sell)
        for (const [traded, type] of [
          [buy, "buy"],
          [sell, "sell"],
        ] as const) {
          const { signature, time, trader } = traded as Readonly<Record<string, string>>
          const message = yield* page.next
          assert.strictEqual(message.type, "actions")
          assert.deepStrictEqual(message.data, [
            {
              ...{ timestamp: time, type, usdVolume: 0, amount: 2.5, traderAddress: trader, txHash: signature },
              ...{ asset: launch.baseMint, isMev: false, isValidPrice: false },
            },
          ])
        }
        // The pool is that of the routes.
        const polled = yield* fetch(`/compat/datapi/v1/pools?assetIds=${launch.baseMint}`)
        const { pools } = yield* Effect.promise(
          () => polled.json() as Promise<{ readonly pools: ReadonlyArray<object> }>,
        )
        assert.deepStrictEqual(yield* page.next, { type: "updates", data: [{ type: "update", pool: pools[0] }] })
        const migratedPool = sampleAddress()
        yield* sql`
          update dbc_pools set completed_slot = 1, migrated_slot = 2, migrated_at = now(), migrated_pool = ${migratedPool}
          where pool = ${launch.pool}`
        yield* commitChanges(
          sampleChange("graduation", launch.baseMint, { pool: launch.pool, stage: "migrated", migratedPool }),
        )
        const [{ pool, type }] = (yield* page.next).data
        assert.deepStrictEqual([type, pool.id, pool.baseAsset.graduatedPool], ["graduated", migratedPool, migratedPool])
        yield* page.send({ type: "subscribe:pool", pools: [migratedPool] })
        yield* page.send({ type: "unsubscribe:pool", pools: [launch.pool] })
        yield* page.send({ type: "unsubscribe:txns", assets: [launch.baseMint] })
        yield* page.taken
        yield* commitChanges(tradeOf({ ...launch, pool: migratedPool }, { venue: "damm_v2" }))
        assert.strictEqual((yield* page.next).data[0].pool.id, migratedPool)
      }),
    )

    it.effect("answers what it does not take, and goes on; closes after a message that is too large", () =>
      Effect.gen(function* () {
        const socket = yield* openSocket()
        const many = Array.from({ length: 201 }, sampleAddress)
        for (const [text, where] of [
          ["{", "body"],
          ['{"type":"subscribe:prices"}', "body.type"],
          ['{"type":"subscribe:pool","pools":["nothing"]}', "body.pools.0"],
          [JSON.stringify({ type: "subscribe:pool", pools: many }), "body.pools"],
        ] as const) {
          yield* socket.sendText(text)
          const { code, issues, type } = yield* socket.next
          assert.deepStrictEqual([type, code, issues[0].path], ["error", "invalid_request", where], text)
        }
        yield* socket.send({ type: "subscribe:txns", assets: many.slice(0, 150) })
        yield* socket.send({ type: "subscribe:txns", assets: many.slice(100) })
        assert.include((yield* socket.next).issues[0].message, "at most 200")
        yield* socket.sendText("x".repeat(16_385))
        assert.strictEqual(yield* socket.closed, 1009)
      }),
    )

    it.effect("closes a connection with more messages than a page sends, empty ones too", () =>
      Effect.gen(function* () {
        for (const text of ["", JSON.stringify({ type: "unsubscribe:recent" })]) {
          const socket = yield* openSocket()
          for (let sent = 0; sent < 5_000; sent++) yield* socket.sendText(text)
          // Without the reason where it was still sending.
          assert.include([1008, 1006], yield* socket.closed)
        }
        const other = yield* openSocket()
        for (let sent = 0; sent < 190; sent++) yield* other.send({ type: "unsubscribe:recent" })
        yield* other.taken
      }),
    )

    it.effect("is no other protocol", () =>
      Effect.gen(function* () {
        const { url } = yield* TestServer
        for (const [headers, status] of [
          [{ upgrade: "h2c" }, 400],
          [{ "sec-websocket-key": "short" }, 400],
          [{}, 101],
        ] as const) {
          const { until } = yield* openRaw(url, handshake(headers))
          assert.match(yield* until(/\r\n\r\n/), new RegExp(`^HTTP/1.1 ${status} `))
        }
        const statusesOf = Effect.fnUntraced(function* (text: string) {
          const { closed } = yield* openRaw(url, text)
          return answersIn(yield* closed).map(({ status }) => status)
        })
        assert.deepStrictEqual(yield* statusesOf(handshake().replace("GET", "HEAD")), [400])
        // In order, also behind what takes longer.
        assert.deepStrictEqual(yield* statusesOf(requestText("GET", "/api/tokens", {}) + handshake()), [200, 400])
      }),
    )
  },
)

const bounded = {
  ...{ hasDatapi: true, corsOrigins: ["https://app.example"] },
  stream: { pollMillis: 5, subscribersMax: 3 },
  limits: { addresses: { streams: 2 } },
}

layer(TestServer.layer(bounded), { excludeTestServices: true })("The connections of the data API", (it) => {
  const refusedWith = Effect.fn(function* (headers: Readonly<Record<string, string>> = {}) {
    const { url } = yield* TestServer
    const { closed } = yield* openRaw(url, handshake(headers))
    const { body, status } = answersIn(yield* closed)[0]!
    return [status, JSON.parse(body).code]
  })

  it.effect("are counted with the streams, and of pages that may read the API", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      assert.deepStrictEqual(yield* refusedWith({ origin: "https://other.example" }), [403, "forbidden"])
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* openSocket()
          yield* openSocket()
          assert.deepStrictEqual(yield* refusedWith({ origin: "https://app.example" }), [429, "limit_reached"])
          const { status } = yield* fetch("/api/stream")
          assert.strictEqual(status, 429)
        }),
      )
    }),
  )
})

// Both connections, and what tells them.
const full = { pollMillis: 5, subscribersMax: 3 }

layer(TestServer.layer({ hasDatapi: true, stream: full }), { excludeTestServices: true })(
  "A connection that does not read",
  (it) => {
    it.effect("is closed, and others are told", () =>
      Effect.gen(function* () {
        const { url } = yield* TestServer
        const launch = yield* launched()
        const fast = yield* openSocket()
        const text = JSON.stringify({ type: "subscribe:txns", assets: [launch.baseMint] })
        yield* fast.sendText(text)
        yield* fast.taken
        const slow = yield* openRaw(url, handshake())
        yield* slow.until(/\r\n\r\n/)
        slow.socket.pause()
        // A frame as clients send them, with a mask of zeros.
        const size = Buffer.byteLength(text)
        assert.isBelow(size, 126)
        slow.socket.write(Buffer.concat([Buffer.from([0x81, 0x80 | size, 0, 0, 0, 0]), Buffer.from(text)]))
        // Its place is free once it is closed.
        let hasLeft = false
        const leaving = yield* Effect.forkChild(Effect.tap(admitted, () => Effect.sync(() => (hasLeft = true))))
        const large = "x".repeat(20_000)
        while (!hasLeft) {
          const trades = Array.from({ length: 10 }, () => tradeOf(launch, { signature: large }))
          yield* commitChanges(...trades)
          for (const _ of trades) assert.strictEqual((yield* fast.next).type, "actions")
        }
        yield* Fiber.join(leaving)
        slow.socket.resume()
        yield* slow.closed
      }),
    )
  },
)
