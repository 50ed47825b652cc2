import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer, Logger, Metric, Redacted } from "effect"
import { PrometheusMetrics } from "effect/observability"
import { ANY_GENESIS } from "../../src/rpc/Network.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { unstalledClock } from "../UnstalledClock.ts"
import { DEAD_URL, distinctCall, getSlot, over, standInNode, status, until, untilState } from "./StandInNode.ts"

const captured = (lines: Array<string>) =>
  Logger.layer([Logger.make(({ cause, message }) => void lines.push(`${String(message)} ${String(cause)}`))])

describe("Logs and metrics", () => {
  it.live("have one line for each transition, and the figures of every endpoint", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      const layer = Rpc.layer({
        urls: [primary.url, backup.url].map((url) => Redacted.make(url)),
        genesisHash: ANY_GENESIS,
      }).pipe(Layer.provideMerge(unstalledClock), Layer.provideMerge(captured(lines)))
      yield* Effect.gen(function* () {
        const { report } = yield* Rpc
        yield* untilState("primary", "closed")
        yield* getSlot
        primary.behave("calls", status(503))
        for (let call = 0; call < 10; call++) yield* distinctCall(call)
        const rpcLines = () =>
          lines.filter((line) => line.startsWith("RPC")).map((line) => line.replace(" Cause([])", ""))
        yield* until(Effect.sync(() => rpcLines().length > 0))
        assert.lengthOf(rpcLines(), 1)
        assert.match(
          rpcLines()[0]!,
          /^RPC primary is out of use \(open\): ServerFault 503 on getMin\w+; backup serves$/,
        )

        const { changes, endpoints, switches } = yield* report
        assert.strictEqual(switches, 1)
        assert.deepStrictEqual(
          changes.map(({ endpoint, event }) => [endpoint, event]),
          [
            ["backup", "preferred"],
            ["primary", "out_of_use"],
          ],
        )
        assert.match(changes[1]!.detail!, /^open: ServerFault 503 on getMin\w+$/)
        assert.closeTo(Date.parse(changes[0]!.at), yield* Clock.currentTimeMillis, 60_000)
        assert.deepInclude(endpoints[0], { name: "primary", state: "open", calls: 4, errors: { ServerFault: 3 } })
        assert.deepInclude(endpoints[1], { name: "backup", state: "closed", calls: 10, slotLag: 0 })
        assert.strictEqual(endpoints[1]!.latencyHistogram.at(-1)!.count, 10)
        assert.isNumber(endpoints[1]!.latencyMillis.p95)
        assert.match(endpoints[1]!.slot!, /^\d+$/)

        const metrics = yield* PrometheusMetrics.format()
        for (const line of [
          "rpc_switches_total 1",
          'rpc_requests_total{endpoint="primary"} 4',
          'rpc_errors_total{endpoint="primary",class="ServerFault"} 3',
          'rpc_errors_total{endpoint="backup",class="ServerFault"} 0',
          'rpc_endpoint_state{endpoint="primary",state="open"} 1',
          'rpc_endpoint_state{endpoint="backup",state="closed"} 1',
          'rpc_out_of_use_total{endpoint="primary"} 1',
          'rpc_endpoint_slot_lag{endpoint="backup"} 0',
          'rpc_request_duration_seconds_bucket{endpoint="backup",le="+Inf"} 10',
          'rpc_request_duration_seconds_count{endpoint="backup"} 10',
        ])
          assert.include(metrics.split("\n"), line)

        primary.recover()
        yield* untilState("primary", "closed")
        yield* until(Effect.sync(() => rpcLines().length > 1))
        assert.deepStrictEqual(rpcLines().slice(1), ["RPC primary is back in use"])
      }).pipe(Effect.provide(layer))
      const left = yield* PrometheusMetrics.format()
      assert.notInclude(left, "rpc_requests_total")
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.live("contain no part of a URL, nor do errors and the report", () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const odd = yield* standInNode
      odd.behave("calls", status(500, "CANARY"))
      const urls = [DEAD_URL, odd.url.replace("http://", "http://user:CANARY@")].map((url) => Redacted.make(url))
      yield* Effect.gen(function* () {
        for (let call = 0; call < 6; call++) {
          const error = yield* Effect.flip(distinctCall(call))
          lines.push(JSON.stringify(error), error.message, String(error.stack))
        }
        lines.push(JSON.stringify(yield* (yield* Rpc).report), yield* PrometheusMetrics.format())
      }).pipe(
        Effect.provide(
          Rpc.layer({ urls, genesisHash: ANY_GENESIS }).pipe(
            Layer.provideMerge(unstalledClock),
            Layer.provideMerge(captured(lines)),
          ),
        ),
      )
      assert.isAtLeast(lines.filter((line) => line.includes("out of use")).length, 2)
      assert.notMatch(lines.join("\n"), /CANARY|127\.0\.0\.1/)
    }).pipe(Effect.provideService(Metric.MetricRegistry, new Map())),
  )

  it.live("move the credentials of a URL into the Authorization header", () =>
    Effect.gen(function* () {
      const node = yield* standInNode
      yield* getSlot.pipe(Effect.provide(over([node.url.replace("http://", "http://us%20er:pass@")])))
      assert.strictEqual(node.authorization, `Basic ${Buffer.from("us er:pass").toString("base64")}`)
    }),
  )
})
