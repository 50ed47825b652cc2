import { newKeyPair } from "@launch-registry/chain/build/NewKeyPair"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { assert, layer } from "@effect/vitest"
import { type Address, lamports } from "@solana/kit"
import { Cause, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../../service/test/TestServer.ts"
import { SIGNER } from "./BuildRequests.ts"

const METADATA = { name: "Secret", symbol: "SEC", description: "d", imageUri: "https://example.com/i.png" }

const logged: Array<string> = []
const spans: Array<Tracer.NativeSpan> = []

/** All logs of the service, at the lowest level. */
const observation = Layer.mergeAll(
  Logger.layer([
    Logger.make(({ cause, fiber, message }) => {
      const annotations = fiber.getRef(References.CurrentLogAnnotations)
      logged.push(`${JSON.stringify(message)} ${String(cause)} ${JSON.stringify(annotations)}`)
    }),
  ]),
  Layer.succeed(References.MinimumLogLevel, "Trace"),
  Layer.succeed(
    Tracer.Tracer,
    Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      },
    }),
  ),
)

/** The exported parts of a span: name, attributes, events, and errors. */
const traced = () =>
  spans.map(({ name, status, _attributes = new Map(), _events = [] }) => {
    const failure = status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""
    return JSON.stringify([name, [..._attributes], _events, failure], (_key, value: unknown) =>
      typeof value === "bigint" ? value.toString() : value,
    )
  })

/** Every row of every table, as text. */
const stored = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`
  const dumps = yield* Effect.forEach(
    tables,
    ({ name }) => sql<{ row: string }>`select t::text as row from ${sql(name)} t`,
  )
  const blocks = yield* sql<{ row: string }>`select encode(bytes, 'escape') as row from ipfs_blocks`
  assert.isAbove(tables.length, 10)
  const answers = yield* sql<{ row: string }>`select encode(body, 'escape') as row from idempotent_requests`
  return [...dumps.flat(), ...blocks, ...answers].map(({ row }) => row)
})

/** Every spelling of a key. */
const formsOf = (key: Uint8Array): ReadonlyArray<string> => {
  const half = key.subarray(0, 32)
  return [key, half].flatMap((bytes) => {
    const buffer = Buffer.from(bytes)
    return [
      ...[encodeBase58(bytes), buffer.toString("hex"), buffer.toString("base64"), buffer.toString("base64url")],
      ...[bytes.subarray(0, 8).join(","), bytes.subarray(0, 8).join(", ")],
      ...[[...bytes.subarray(0, 4)].map((byte, index) => `"${index}":${byte}`).join(",")],
    ]
  })
}

layer(TestServer.layer({ observation }), { excludeTestServices: true })("A secret key", (it) => {
  it.effect("is returned once, and is in no log, trace, table or error", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const post = (path: string, json: unknown) => request(`/api/launch/${path}`, { json })
      const { data } = (yield* post("dbc-config", { metadata: METADATA, signer: SIGNER })).body
      const key = decodeBase58(data.dbcConfigKeypair.secretKey)!
      assert.lengthOf(key, 64)
      const byIndex = (bytes: Uint8Array) => Object.fromEntries([...bytes].map((byte, index) => [String(index), byte]))
      const publicKey = data.dbcConfigKeypair.publicKey as string
      const pair = { publicKey: byIndex(decodeBase58(publicKey)!), secretKey: byIndex(key) }
      const other = key.toReversed()

      const answers = [
        yield* post("deploy-token", { metadata: METADATA, signer: SIGNER, dbcConfigKeypair: pair }),
        yield* post("deploy-token", { metadata: METADATA, signer: SIGNER, dbcConfigKeypair: data.dbcConfigKeypair }),
        // Every invalid key, and invalid requests around a valid one.
        ...(yield* Effect.forEach(
          [
            { dbcConfigKeypair: { publicKey: "x", secretKey: data.dbcConfigKeypair.secretKey } },
            { dbcConfigKeypair: { publicKey, secretKey: [...key, 7] } },
            { dbcConfigKeypair: { publicKey, secretKey: { ...pair.secretKey, 64: 1 } } },
            { dbcConfigKeypair: { publicKey, secretKey: encodeBase58(other) } },
            { dbcConfigKeypair: { secretKey: [...key] } },
            { dbcConfigKeypair: data.dbcConfigKeypair.secretKey },
            { dbcConfigKeypair: pair, signer: "nobody" },
            { dbcConfigKeypair: pair, [encodeBase58(key)]: 1 },
            { dbcConfigKeypair: pair, mintAddress: encodeBase58(key) },
            { dbcConfigKeypair: pair, metadata: { ...METADATA, name: "n".repeat(40) } },
            { dbcConfigKeypair: { ...pair, publicKey: byIndex(new Uint8Array(32).fill(1)) } },
          ],
          (faulty) => post("deploy-token", { metadata: METADATA, signer: SIGNER, ...faulty }),
        )),
        yield* request("/api/launch/deploy-token", {
          raw: `{"dbcConfigKeypair":{"secretKey":"${data.dbcConfigKeypair.secretKey}"`,
          headers: { "content-type": "application/json" },
        }),
      ]
      // All but the two valid ones.
      const refused = answers.filter(({ status }) => status === 400)
      assert.deepStrictEqual([answers.length, refused.length], [14, 12])
      assert.isNotEmpty(logged)
      assert.isNotEmpty(spans)
      const all = [...logged, ...traced(), ...(yield* stored), ...answers.map(({ body }) => JSON.stringify(body))]
      const said = all.join("\n")
      assert.include(said, publicKey)
      for (const form of formsOf(key)) assert.notInclude(said, form)
    }),
  )

  it.effect("of a launch in one step is returned once, and one that a client sent for a mint never", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const rpc = yield* Rpc
      yield* Effect.orDie(rpc.call((kit) => kit.requestAirdrop(SIGNER as Address, lamports(1_000_000_000n))))
      const mint = yield* Effect.promise(newKeyPair)
      const mintKeypair = { publicKey: mint.address, secretKey: [...mint.secretKey] }
      const json = { metadata: METADATA, signer: SIGNER, mintKeypair }
      const created = yield* request("/api/launch/create", { json })
      assert.strictEqual(created.status, 200, JSON.stringify(created.body))
      const { dbcConfigKeypair, ...rest } = created.body.data
      const answers = [
        rest,
        (yield* request("/api/launch/create", { json: { ...json, signer: "nobody" } })).body,
        (yield* request("/api/launch/create", { json: { ...json, mintAddress: mint.address } })).body,
        (yield* request("/api/launch/create", { json: { ...json, [encodeBase58(mint.secretKey)]: 1 } })).body,
      ]
      const said = [...logged, ...traced(), ...(yield* stored), ...answers.map((body) => JSON.stringify(body))].join(
        "\n",
      )
      assert.include(said, dbcConfigKeypair.publicKey)
      assert.include(said, mint.address)
      for (const key of [decodeBase58(dbcConfigKeypair.secretKey)!, mint.secretKey])
        for (const form of formsOf(key)) assert.notInclude(said, form)
    }),
  )
})
