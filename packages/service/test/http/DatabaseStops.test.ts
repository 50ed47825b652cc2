import { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import { Api } from "@launch-registry/domain/Api"
import { SEEDED_MINTS } from "@launch-registry/chain/localnet/SeedAccounts"
import * as Database from "@launch-registry/postgres/Database"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { TestDoor } from "@launch-registry/migrations/TestDoor"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { AMPLE } from "../../../bridge/test/TestBridge.ts"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { accessOf } from "../access/TestAccess.ts"
import { OPTIONS as NOTIFICATIONS } from "../../../server/test/notifications/TestNotifications.ts"
import { sampleSignature } from "../Samples.ts"
import { type RequestOptions, TestServer } from "../TestServer.ts"
import { newKey, samplePosts } from "./PostRequests.ts"

const KEY = "an-admin-key-of-more-than-32-characters"

class Door extends Context.Service<Door, TestDoor>()("@launch-registry/service/test/Door") {}

const door = Layer.effect(Door, TestDoor.make)

const EMPTY_HISTORY: ClickHouse = {
  select: () => Effect.succeed([]),
  insert: () => Effect.void,
  command: () => Effect.void,
}

/** A server with a proxy to its database that can be shut, and that keeps its caches. */
const server = Layer.unwrap(
  Effect.gen(function* () {
    const through = yield* Door
    const name = yield* TestDatabase.migrated
    const standIn = yield* IntentsStandIn.make()
    return TestServer.layer({
      database: Database.layer(through.addressOf(name)),
      access: accessOf({ adminKeys: [Redacted.make(KEY)] }),
      bridge: { url: standIn.url, quoteKey: standIn.publicKey, rates: { quote: AMPLE, watch: AMPLE } },
      notifications: NOTIFICATIONS,
    })
  }),
).pipe(
  Layer.provideMerge(door),
  Layer.provide(Layer.succeed(ClickHouse, EMPTY_HISTORY)),
  Layer.provide(Logger.layer([])),
)

/** Answered without the database: health, chain state, and cached content. */
const WITHOUT = [
  "system.health",
  "system.live",
  "system.rpc",
  "tokens.holders",
  "tokens.holderCount",
  "bridge.tokens",
  "wallets.balances",
]
const POOL_READS = ["launch.poolState", "launch.poolConfig", "launch.poolMetadata", "launch.curveProgress"]
const ONCE_READ = ["gateway", ...POOL_READS]

const PARAMETERS: Readonly<Record<string, string>> = {
  id: "00000000-0000-7000-8000-000000000000",
  depositAddress: "depositaddress1",
  endpoint: "primary",
  signature: sampleSignature(),
}
const IDS: Readonly<Record<string, string>> = { "system.cancelJob": "1", "system.deadLetter": "1-0" }
const QUERIES: Readonly<Record<string, string>> = {
  "tokens.search": "?q=a",
  ...Object.fromEntries(["volume", "tokens", "traders"].map((name) => [`analytics.${name}`, "?from=2026-11-18"])),
}
const BODIES: Readonly<Record<string, unknown>> = {
  "tokens.update": { name: "Another" },
  "tokens.verify": { verified: true },
  "system.cordon": { reason: "a reason" },
  "transactions.updateStatus": { status: "success" },
  "notifications.update": { enabled: true },
}

const ENDPOINTS = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map(({ identifier, method, path }) => {
    const name = `${group.identifier}.${identifier}`
    const value = (parameter: string): string => IDS[name] ?? PARAMETERS[parameter] ?? SEEDED_MINTS.spl
    return {
      ...{ name, method: method as string },
      path: path.replaceAll(/:(\w+)/g, (_: string, parameter: string) => value(parameter)),
    }
  }),
)

const allRequests = Effect.map(samplePosts({ "x-api-key": KEY }), (posts) => {
  const known = ENDPOINTS.map(({ method, name, path }): readonly [name: string, path: string, RequestOptions] => {
    const options = posts[name]?.send() ?? (name in BODIES ? { json: BODIES[name] } : {})
    return [name, `${path}${QUERIES[name] ?? ""}`, { ...options, method }]
  })
  return [...known, ["gateway", `/ipfs/bafkreic6pgujblnigil6h5yuj27fd3fikf4l6skr6yghucz3tlskmlzzoa`, {}] as const]
})

const answersOf = Effect.fn(function* (requests: Effect.Success<typeof allRequests>) {
  const { fetch } = yield* TestServer
  return yield* Effect.forEach(requests, ([name, path, { headers, json, method, raw }]) =>
    Effect.gen(function* () {
      const key = method === "POST" && name !== "ipfs.uploadImage" ? newKey() : {}
      const type = { "x-api-key": KEY, ...(json !== undefined && { "content-type": "application/json" }) }
      const body = raw ?? (json === undefined ? null : JSON.stringify(json))
      const response = yield* fetch(path, { method: method ?? "GET", headers: { ...type, ...headers, ...key }, body })
      const isStream = response.status === 200 && name === "stream.changes"
      const text = yield* Effect.promise(async () =>
        isStream ? (await response.body!.cancel(), "{}") : await response.text(),
      )
      const retryAfter = response.headers.get("retry-after")
      return { name, status: response.status, body: response.status === 200 ? {} : JSON.parse(text), retryAfter }
    }),
  )
})

layer(server, { excludeTestServices: true })("While the database", (it) => {
  for (const [state, what] of [
    ["57P03", "starts or stops"],
    ["53300", "has no connection left"],
    ["", "is unreachable"],
  ] as const)
    it.effect(`${what}, every endpoint that needs it is 503 with Retry-After, and none is 500`, () =>
      Effect.gen(function* () {
        const through = yield* Door
        const requests = yield* allRequests
        through.shut(state)
        const answers = yield* answersOf(requests)
        for (const { body, name, retryAfter, status } of answers) {
          if (status === 200) assert.include([...WITHOUT, ...ONCE_READ], name)
          else {
            const code = name === "system.ready" ? "not_ready" : "upstream_unavailable"
            assert.deepInclude(body, { success: false, code }, name)
            assert.deepStrictEqual([status, retryAfter], [503, "2"], name)
          }
        }
        const answered = answers.filter(({ status }) => status === 200).map(({ name }) => name)
        assert.includeMembers(answered, WITHOUT)
        through.open()
        for (const { body, name, status } of yield* answersOf(requests))
          assert.isBelow(status, 500, `${name} ${JSON.stringify(body)}`)
      }),
    )
})
