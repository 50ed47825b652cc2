import { createServer, type IncomingHttpHeaders } from "node:http"
import type { AddressInfo } from "node:net"
import { LocalChain } from "@launch-registry/chain/localnet/LocalChain"
import { Context, Effect, Layer, Metric } from "effect"
import type { TelemetryOptions } from "../../src/TelemetrySettings.ts"
import { telemetry } from "../../src/telemetry/Telemetry.ts"
import { forwardToChain } from "../../../chain/test/ForwardToChain.ts"
import { unstalledClock } from "../../../chain/test/UnstalledClock.ts"
import { TestServer } from "../TestServer.ts"
import { collectorStandIn, type CollectorStandIn } from "./CollectorStandIn.ts"

/** Headers of the calls that an RPC endpoint got. */
type RpcCalls = Array<IncomingHttpHeaders>

/** Passes calls on to the chain. */
const recordingNode = (chainUrl: string) =>
  Effect.gen(function* () {
    const calls: RpcCalls = []
    const server = createServer((request, response) => {
      let text = ""
      request.on("data", (piece) => (text += piece))
      request.on("end", () => {
        calls.push(request.headers)
        void forwardToChain(chainUrl, text, response)
      })
    })
    yield* Effect.acquireRelease(
      Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
      () => Effect.sync(() => void server.close().closeAllConnections()),
    )
    return { calls, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
  })

/** What is around a server that exports: its collector, and its RPC endpoint. */
export class Surroundings extends Context.Service<
  Surroundings,
  { readonly collector: CollectorStandIn; readonly rpcCalls: RpcCalls; readonly rpcUrl: string }
>()("@launch-registry/service/test/telemetry/Surroundings") {
  static readonly layer = Layer.effect(
    Surroundings,
    Effect.gen(function* () {
      const { url } = yield* LocalChain
      const node = yield* recordingNode(url)
      return { collector: yield* collectorStandIn, rpcCalls: node.calls, rpcUrl: node.url }
    }),
  ).pipe(Layer.provide(LocalChain.layer({ stage: "mid" })), Layer.provide(unstalledClock))
}

/** Settings that export everything, as JSON. */
export const exportingTo = (url: string, fields: Partial<TelemetryOptions> = {}): TelemetryOptions => ({
  ...{ protocol: "http/json", tracesUrl: `${url}/v1/traces`, metricsUrl: `${url}/v1/metrics` },
  ...{ headers: {}, recordedShare: 1, isCallerTrusted: true, serviceName: "token-launch-registry", attributes: {} },
  ...fields,
})

type ServerOptions = NonNullable<Parameters<typeof TestServer.layer>[0]>

/** The key in the URL of the RPC endpoint, in its path and its query. */
export const RPC_KEY = "CANARYofTheRpcEndpoint"

/** A server that exports to a collector of its own, over an RPC endpoint that records headers. */
export const tracedServer = (fields: Partial<TelemetryOptions> = {}, options: ServerOptions = {}) =>
  Layer.unwrap(
    Effect.map(Surroundings, ({ collector, rpcUrl }) =>
      TestServer.layer({
        rpcUrl: `${rpcUrl}/v2/${RPC_KEY}?api-key=${RPC_KEY}`,
        observation: telemetry(
          exportingTo(collector.url, fields),
          { version: "0.0.0-test", role: "api" },
          { spanDelayMillis: 20, metricIntervalMillis: 100 },
        ),
        ...options,
      }),
    ),
  ).pipe(Layer.provideMerge(Surroundings.layer), Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map())))
