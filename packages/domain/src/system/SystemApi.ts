import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ONLY_WITH_OPERATORS } from "../http/AccessErrors.ts"
import { RequiredAccess } from "../access/RequiredAccess.ts"
import { declaring, describe } from "../http/Describe.ts"
import { Data } from "../http/Envelope.ts"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { NotFound } from "../http/NotFound.ts"
import { withoutStatus } from "../http/OpenApiOperation.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { deadLetterEndpoints } from "./DeadLetterEndpoints.ts"
import { indexerJobEndpoints } from "./IndexerJobEndpoints.ts"
import { IndexerReport } from "./IndexerReport.ts"
import { CordonReason, ENDPOINT_NAME, RpcCordon } from "./RpcCordons.ts"
import { RpcReport } from "./RpcReport.ts"

/** State of one part of the service, from its last observation: reading it makes no calls. */
export const PartHealth = Schema.Struct({
  status: Schema.Literals(["up", "degraded", "down", "off", "unknown"]).annotate({
    description: "up; degraded: partly working; down; off: not configured; unknown: not checked yet",
  }),
  detail: field(Schema.String, "The state in words"),
}).annotate({ identifier: "PartHealth", description: "State of one part of the service" })
export type PartHealth = typeof PartHealth.Type

/** Health of the service. */
export const Health = Schema.Struct({
  status: field(Schema.Literals(["ok", "degraded"]), "degraded: a part of the service is degraded or down"),
  version: field(Schema.String, "Version of the service"),
  network: field(Schema.String, "Solana network: mainnet, devnet or localnet"),
  uptimeSeconds: field(Schema.Int, "Time since the start of this replica, in seconds"),
  database: field(PartHealth, "PostgreSQL"),
  rpc: field(PartHealth, "Solana RPC endpoints"),
  ipfs: field(PartHealth, "IPFS backends that uploads go to"),
  bridge: field(PartHealth, "Swap service for cross-chain swaps"),
  indexer: field(PartHealth, "Indexer of the chain"),
}).annotate({ identifier: "Health", description: "Health of the service and its parts" })
export type Health = typeof Health.Type

/** This replica is ready for traffic. Warnings name problems that do not stop it from serving. */
export const Readiness = Schema.Struct({
  ready: field(Schema.Literal(true), "true: the replica takes traffic"),
  warnings: field(Schema.Array(Schema.String), "Problems that do not stop the replica from serving"),
}).annotate({ identifier: "Readiness", description: "The replica is ready" })
export type Readiness = typeof Readiness.Type

/** This replica is not ready for traffic. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", {
  reason: field(Schema.String, "Why the replica takes no traffic"),
}) {
  static readonly response = respondWith(NotReady, {
    status: 503,
    code: "not_ready",
    message: ({ reason }) => `Not ready: ${reason}`,
  })
}

const CordonChange = Schema.Struct({
  endpoint: field(Schema.String, "Name of the endpoint"),
  cordon: field(Schema.NullOr(RpcCordon), "Why and since when it is cordoned; null if it is not"),
}).annotate({ identifier: "RpcCordonChange", description: "Whether an RPC endpoint is cordoned from now on" })

const byEndpoint = {
  endpoint: field(
    Schema.String.check(
      Schema.isPattern(ENDPOINT_NAME, { message: "expected primary, backup, backup-2 and so on" }),
      Schema.isMaxLength(9),
    ),
    "Name of the endpoint, as in GET /api/system/rpc: primary, backup, backup-2 and so on",
  ),
}

/** Health of the service and of this replica. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/", { success: Data(Health) }).annotateMerge(
      describe(
        "Read the health of the service",
        "From the last observation of each part; never calls the chain. A client whose Accept header prefers text/html gets a page with links instead.",
      ),
    ),
    HttpApiEndpoint.get("live", "/livez", {
      success: Data(
        field(
          Schema.Struct({ live: field(Schema.Literal(true), "true: the process is responsive") }),
          "The process is alive",
        ),
      ),
    })
      .annotateMerge(describe("Probe liveness", "Succeeds as long as the process is responsive."))
      // It reads no body and does not use the database.
      .annotateMerge(declaring(withoutStatus(503))),
    HttpApiEndpoint.get("ready", "/readyz", {
      success: Data(Readiness),
      error: [NotReady.response],
    }).annotateMerge(
      describe(
        "Probe readiness",
        "200 while the database is available and the replica is not shutting down, 503 otherwise. Warnings name RPC endpoints that need an operator, and IPFS backends that accept no uploads.",
      ),
    ),
    HttpApiEndpoint.get("rpc", "/api/system/rpc", { success: Data(RpcReport) })
      .annotate(RequiredAccess, "system")
      .annotateMerge(
        describe(
          "Read the state of the RPC endpoints",
          "State, slot lag, latencies and errors of each endpoint. Never calls the chain.",
        ),
      ),
    HttpApiEndpoint.put("cordon", "/api/system/rpc/:endpoint/cordon", {
      params: byEndpoint,
      payload: Schema.Struct({
        reason: field(CordonReason, "Why, in one line; GET /api/system/rpc and the metrics show it"),
      }).annotate({ identifier: "RpcCordonRequest" }),
      success: Data(CordonChange),
      error: [NotFound.response, NotConfigured.response],
    })
      .annotate(RequiredAccess, "system")
      .annotateMerge(
        describe(
          "Take an RPC endpoint out of use",
          `All processes stop calling it within seconds, unless all endpoints are cordoned: then calls go on as if none were. The same reason again changes nothing; another one replaces it. ${ONLY_WITH_OPERATORS}`,
        ),
      ),
    HttpApiEndpoint.delete("uncordon", "/api/system/rpc/:endpoint/cordon", {
      params: byEndpoint,
      success: Data(CordonChange),
      error: [NotFound.response, NotConfigured.response],
    })
      .annotate(RequiredAccess, "system")
      .annotateMerge(
        describe(
          "Put an RPC endpoint back into use",
          `All processes call it again within seconds. Changes nothing if it is not cordoned. ${ONLY_WITH_OPERATORS}`,
        ),
      ),
    HttpApiEndpoint.get("indexer", "/api/system/indexer", { success: Data(IndexerReport) })
      .annotate(RequiredAccess, "system")
      .annotateMerge(
        describe(
          "Read the state of the indexer",
          "How far the chain is indexed, which slots are proven complete, and which are not.",
        ),
      ),
    ...indexerJobEndpoints,
    ...deadLetterEndpoints,
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "System",
      description: "Health and readiness of the service, its RPC endpoints and its indexer",
    }),
  ) {}
