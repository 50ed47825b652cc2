import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { Data } from "../http/Envelope.ts"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { IndexerReport } from "./IndexerReport.ts"
import { RpcReport } from "./RpcReport.ts"

/** State of one part of the service, from what it last saw: reading it calls nothing. */
export const PartHealth = Schema.Struct({
  status: Schema.Literals(["up", "degraded", "down", "off", "unknown"]).annotate({
    description: "unknown: not asked yet; detail says so",
  }),
  detail: Schema.String,
}).annotate({ identifier: "PartHealth" })
export type PartHealth = typeof PartHealth.Type

/** Health of the service. */
export const Health = Schema.Struct({
  status: Schema.Literals(["ok", "degraded"]),
  version: Schema.String,
  network: Schema.String,
  uptimeSeconds: Schema.Int,
  database: PartHealth,
  rpc: PartHealth,
  ipfs: PartHealth,
  bridge: PartHealth,
  indexer: PartHealth,
}).annotate({ identifier: "Health" })
export type Health = typeof Health.Type

/** This replica wants traffic. The warnings name what is wrong without keeping it from serving. */
export const Readiness = Schema.Struct({
  ready: Schema.Literal(true),
  warnings: Schema.Array(Schema.String),
}).annotate({ identifier: "Readiness" })
export type Readiness = typeof Readiness.Type

/** This replica wants no traffic. */
export class NotReady extends Schema.TaggedError<NotReady>()("NotReady", { reason: Schema.String }) {
  static readonly response = respondWith(NotReady, {
    status: 503,
    code: "not_ready",
    message: ({ reason }) => `Not ready: ${reason}`,
  })
}

/** Health of the service and of this replica. */
export class SystemApi extends HttpApiGroup.make("system")
  .add(
    HttpApiEndpoint.get("health", "/", { success: Data(Health) }).annotateMerge(
      describe(
        "Health",
        "Answered from what the service last saw; never calls the chain. A client whose Accept header prefers text/html gets a page for people instead.",
      ),
    ),
    HttpApiEndpoint.get("live", "/livez", {
      success: Data(Schema.Struct({ live: Schema.Literal(true) })),
    }).annotateMerge(describe("Liveness", "The process answers.")),
    HttpApiEndpoint.get("ready", "/readyz", {
      success: Data(Readiness),
      error: [NotReady.response],
    }).annotateMerge(
      describe(
        "Readiness",
        "The database answers and the replica is not shutting down; 503 otherwise. Warnings name RPC endpoints that somebody has to put right, and what keeps uploads from where they belong.",
      ),
    ),
    HttpApiEndpoint.get("rpc", "/api/system/rpc", { success: Data(RpcReport) }).annotateMerge(
      describe("RPC endpoints", "State, slot lag, latencies and faults of every RPC endpoint. Never calls the chain."),
    ),
    HttpApiEndpoint.get("indexer", "/api/system/indexer", { success: Data(IndexerReport) }).annotateMerge(
      describe(
        "Indexer",
        "How far the chain is indexed, what of it is proven complete, and what is missing. A proof counts once what it speaks of is folded.",
      ),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "System", description: "Health and readiness" })) {}
