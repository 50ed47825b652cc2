import { Access } from "@launch-registry/server/access/Access"
import { OPEN_ACCESS } from "@launch-registry/server/access/AccessOptions"
import { NotReady, type PartHealth } from "@launch-registry/domain/system/SystemApi"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { answersOf } from "@launch-registry/http/answers/Answers"
import { declaredPaths } from "@launch-registry/http/requests/DeclaredPaths"
import { httpListener } from "@launch-registry/http/listener/HttpListener"
import { listenAt } from "@launch-registry/http/listener/ListenAt"
import { EXACT_ROUTES, requestEdge } from "@launch-registry/http/requests/RequestEdge"
import { serverLimits } from "@launch-registry/http/limits/ServerLimits"
import { respondError } from "@launch-registry/http/answers/Respond"
import { AccessLogOfServer } from "@launch-registry/http/listener/AccessLog"
import { DRAIN_MILLIS, type ServerOptions } from "./ApiServer.ts"
import { DatabaseMetrics } from "./metrics/DatabaseMetrics.ts"
import { metricsRoute } from "./metrics/MetricsRoute.ts"
import { processMetrics } from "./metrics/ProcessMetrics.ts"
import { requestMetrics } from "./metrics/RequestMetrics.ts"
import { Health } from "@launch-registry/server/system/Health"
import { IndexerStatus } from "@launch-registry/server/system/IndexerStatus"

const { respond } = answersOf("system")

const PATHS = ["/", "/livez", "/readyz", "/metrics", "/api/system/rpc", "/api/system/indexer"].map(
  (path) => ["GET", path] as const,
)

const NOT_SERVED: PartHealth = { status: "off", detail: "not served by a process that only indexes" }
const notServed = Effect.succeed(NOT_SERVED)

/** Routes of a process without the API: health and metrics. */
const routes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const health = yield* Health
    const indexer = yield* IndexerStatus
    const { admitted } = yield* Access
    yield* router.add(
      "GET",
      "/",
      Effect.map(health.report, (data) => respond("health", { data, message: "The indexer is running" })),
    )
    yield* router.add(
      "GET",
      "/livez",
      Effect.sync(() => respond("live", { data: { live: true } })),
    )
    yield* router.add(
      "GET",
      "/readyz",
      health.readiness.pipe(
        Effect.map((data) => respond("ready", { data })),
        Effect.catchTag("NotReady", (error) => respondError(NotReady.response, error)),
      ),
    )
    yield* router.add(
      "GET",
      "/api/system/rpc",
      admitted(
        "system",
        Effect.map(health.rpc, (data) => respond("rpc", { data })),
      ),
    )
    yield* router.add(
      "GET",
      "/api/system/indexer",
      admitted(
        "system",
        Effect.map(indexer.report, (data) => respond("indexer", { data })),
      ),
    )
  }),
)

/** The status server of a process that only indexes. */
export const layer = ({ access, accessLog, host, limits, network, port, version }: ServerOptions) =>
  HttpRouter.serve(
    Layer.mergeAll(routes, metricsRoute, processMetrics(version)).pipe(
      Layer.provide(DatabaseMetrics.layer({ hasBridge: false, hasNotifications: false, hasPrices: false })),
      Layer.provide(requestEdge(declaredPaths({ groups: {} }, PATHS))),
      Layer.provide(Health.layer({ version, network, ipfs: notServed, bridge: notServed })),
      Layer.provide(IndexerStatus.layer),
      Layer.provide(Access.layer(access ?? OPEN_ACCESS)),
    ),
    { routerConfig: EXACT_ROUTES, disableLogger: true, disableListenLog: true },
  ).pipe(
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(httpListener, (listener) =>
          listenAt(listener, { host, port, gracefulShutdownTimeout: DRAIN_MILLIS }),
        ),
      ),
    ),
    Layer.provide([serverLimits(limits), requestMetrics, Layer.succeed(AccessLogOfServer, accessLog === true)]),
  )
