import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

type Value = Readonly<Record<string, unknown>>
type Attributes = ReadonlyArray<{ readonly key: string; readonly value: Value }>

export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: Attributes
  readonly events: ReadonlyArray<{ readonly name: string; readonly attributes: Attributes }>
  readonly status: { readonly code: number; readonly message?: string }
}

interface Point {
  readonly attributes: Attributes
  readonly asDouble?: number
  readonly asInt?: number
  readonly count?: number
}

export interface ReceivedMetric {
  readonly name: string
  readonly unit: string
  readonly sum?: { readonly dataPoints: ReadonlyArray<Point> }
  readonly gauge?: { readonly dataPoints: ReadonlyArray<Point> }
  readonly histogram?: { readonly dataPoints: ReadonlyArray<Point> }
}

/** An export as it was received. */
export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

interface TraceData {
  readonly resourceSpans: ReadonlyArray<{
    readonly resource: { readonly attributes: Attributes }
    readonly scopeSpans: ReadonlyArray<{ readonly spans: ReadonlyArray<ReceivedSpan> }>
  }>
}

interface MetricsData {
  readonly resourceMetrics: ReadonlyArray<{
    readonly resource: { readonly attributes: Attributes }
    readonly scopeMetrics: ReadonlyArray<{ readonly metrics: ReadonlyArray<ReceivedMetric> }>
  }>
}

/** The values of attributes by key. */
export const valuesOf = (attributes: Attributes): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  const pieces: Array<Buffer> = []
  for await (const piece of request) pieces.push(piece as Buffer)
  return Buffer.concat(pieces).toString("utf8")
}

/** A collector on loopback that takes what is sent as JSON, and answers as `answer` says. */
export const collectorStandIn = Effect.gen(function* () {
  const received: Array<Received> = []
  const wakes = new Set<() => void>()
  const standIn = {
    url: "",
    received,
    /** Replaced for trouble. */
    answer: (response: ServerResponse): void => void response.writeHead(200).end("{}"),
    get text(): string {
      return received.map(({ body, headers, path }) => `${path} ${JSON.stringify(headers)} ${body}`).join("\n")
    },
    get spans(): ReadonlyArray<ReceivedSpan> {
      return received
        .filter(({ path }) => path === "/v1/traces")
        .flatMap(({ body }) => (JSON.parse(body) as TraceData).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    },
    get resources(): ReadonlyArray<Readonly<Record<string, unknown>>> {
      return received
        .flatMap(({ body }) => Object.values(JSON.parse(body) as TraceData).flat())
        .map(({ resource }) => valuesOf(resource.attributes))
    },
    /** The latest of each export of metrics. */
    get metrics(): ReadonlyArray<ReceivedMetric> {
      const latest = received.findLast(({ path }) => path === "/v1/metrics")
      if (latest === undefined) return []
      return (JSON.parse(latest.body) as MetricsData).resourceMetrics.flatMap(({ scopeMetrics }) =>
        scopeMetrics.flatMap(({ metrics }) => metrics),
      )
    },
    /** Resolves once `holds` is true of what has been received. */
    until: (holds: () => boolean) =>
      Effect.promise(async () => {
        while (!holds())
          await new Promise<void>((resolve) => {
            wakes.add(resolve)
          })
      }),
  }
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      received.push({ path: request.url!, headers: request.headers, body })
      standIn.answer(response)
      for (const wake of wakes) wake()
      wakes.clear()
    })
  })
  yield* Effect.acquireRelease(
    Effect.promise(() => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))),
    () =>
      Effect.promise(
        () =>
          new Promise<void>((resolve) => {
            server.close(() => resolve())
            server.closeAllConnections()
          }),
      ),
  )
  standIn.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return standIn
})

export type CollectorStandIn = Effect.Success<typeof collectorStandIn>
