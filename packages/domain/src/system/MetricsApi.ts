import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { EDGE_ERRORS } from "../http/EdgeErrors.ts"
import { InternalFault } from "../http/RequestErrors.ts"

/** Metrics of this process. Served by its own router. */
export class MetricsApi extends HttpApiGroup.make("metrics")
  .add(
    HttpApiEndpoint.get("read", "/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain" })),
      error: [InternalFault.response, ...EDGE_ERRORS],
    }).annotateMerge(describe("Metrics", "Metrics of this process in the Prometheus text format, version 0.0.4.")),
  )
  .annotateMerge(OpenApi.annotations({ title: "Metrics", description: "Metrics for Prometheus" })) {}
