import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Logger, Metric, Redacted } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { ANY_GENESIS } from "../../src/rpc/Network.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { unstalledClock } from "../UnstalledClock.ts"
import { distinctCall, distinctCalls, reportOf, standInNode, status, until, untilState } from "./StandInNode.ts"

const since = new Date("2026-11-22T10:00:00Z")

const cordoned = (...names: ReadonlyArray<string>) =>
  Effect.flatMap(Rpc, ({ cordon }) => cordon(new Map(names.map((name) => [name, { reason: `no ${name}`, since }]))))

/** Two nodes, and what is logged of them. */
const twoNodes = Effect.gen(function* () {
  const lines: Array<string> = []
  const [primary, backup] = [yield* standInNode, yield* standInNode]
  const layer = Rpc.layer({
    urls: [primary.url, backup.url].map((url) => Redacted.make(url)),
    genesisHash: ANY_GENESIS,
    probeMillis: 50,
  }).pipe(
    Layer.provideMerge(unstalledClock),
    Layer.provideMerge(Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])),
  )
  return { primary, backup, lines, layer }
})

const bothInUse = Effect.andThen(untilState("primary", "closed"), untilState("backup", "closed"))

describe("A cordoned endpoint", () => {
  it.live("gets no calls and is probed, until it is uncordoned", () =>
    Effect.gen(function* () {
      const { backup, layer, lines, primary } = yield* twoNodes
      yield* Effect.gen(function* () {
        yield* bothInUse
        yield* cordoned("primary")
        const [calls, probes] = [primary.calls.length, primary.probes.length]
        yield* distinctCalls(10)
        const rpc = yield* Rpc
        const asked = yield* rpc.onEach((call) => call((kit) => kit.getSlot()))
        assert.deepStrictEqual(
          asked.map(({ name }) => name),
          ["backup"],
        )
        assert.strictEqual(primary.calls.length, calls)
        assert.strictEqual(backup.calls.length, 11)
        yield* until(Effect.sync(() => primary.probes.length > probes + 2))
        assert.deepInclude(yield* reportOf("primary"), {
          state: "closed",
          cordon: { reason: "no primary", since: "2026-11-22T10:00:00.000Z" },
        })
        assert.notProperty(yield* reportOf("backup"), "cordon")
        const metrics = yield* PrometheusMetrics.format()
        assert.include(metrics, 'rpc_endpoint_cordoned{endpoint="primary"} 1\n')
        assert.include(metrics, 'rpc_endpoint_cordoned{endpoint="backup"} 0\n')
        assert.include(metrics, 'rpc_endpoint_cordon_info{endpoint="primary",reason="no primary"} 1\n')

        yield* cordoned()
        yield* distinctCall(100)
        assert.strictEqual(primary.calls.length, calls + 1)
        assert.notInclude(yield* PrometheusMetrics.format(), "rpc_endpoint_cordon_info{")
        const { changes } = yield* rpc.report
        assert.deepStrictEqual(
          changes.map(({ detail, endpoint, event }) => [endpoint, event, detail]),
          [
            ["primary", "uncordoned", null],
            ["backup", "preferred", "primary"],
            ["primary", "cordoned", "no primary"],
          ],
        )
        for (let round = 0; round < 30; round++) yield* Effect.andThen(cordoned("primary"), cordoned())
        assert.lengthOf((yield* rpc.report).changes, 50)
        assert.includeMembers(lines, ["RPC primary is cordoned: no primary", "RPC primary is not cordoned any more"])
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.live("gets no calls either when the others fail", () =>
    Effect.gen(function* () {
      const { backup, layer, primary } = yield* twoNodes
      yield* Effect.gen(function* () {
        yield* bothInUse
        yield* cordoned("primary")
        const calls = primary.calls.length
        backup.behave("*", status(503))
        yield* until(Effect.map(reportOf("backup"), ({ state }) => state === "open"))
        assert.strictEqual((yield* Effect.flip(distinctCall(1))).reason._tag, "NoEndpoint")
        assert.strictEqual(primary.calls.length, calls)
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.live("gives no blockhash to build on", () =>
    Effect.gen(function* () {
      const { backup, layer, primary } = yield* twoNodes
      // The backup is behind, though not too far, so the newest blockhash is that of the primary.
      backup.lag = 20
      yield* Effect.gen(function* () {
        yield* bothInUse
        yield* cordoned("primary")
        const { getLatestBlockhash } = yield* Rpc
        const isOfBackup = Effect.map(getLatestBlockhash, ({ slot }) => Number(slot) <= primary.slot - 15)
        yield* until(Effect.catch(isOfBackup, () => Effect.succeed(false)))
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.live("gets calls like before when all of them are cordoned, which the log says", () =>
    Effect.gen(function* () {
      const { layer, lines, primary } = yield* twoNodes
      yield* Effect.gen(function* () {
        yield* bothInUse
        yield* cordoned("primary", "backup", "backup-7")
        const calls = primary.calls.length
        yield* distinctCalls(5)
        assert.strictEqual(primary.calls.length, calls + 5)
        assert.include(lines, "RPC backup is cordoned: no backup; all endpoints are, so calls go on")
      }).pipe(Effect.provide(layer))
    }).pipe(Effect.scoped, Effect.provideService(Metric.MetricRegistry, new Map())),
  )
})
