import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { EDGE_ERRORS } from "../http/EdgeErrors.ts"
import { InternalFault } from "../http/RequestErrors.ts"

/** Figures of this process. Answered by a router of its own. */
export class MetricsApi extends HttpApiGroup.make("metrics")
  .add(
    HttpApiEndpoint.get("read", "/metrics", {
      success: Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/plain" })),
      error: [InternalFault.response, ...EDGE_ERRORS],
    }).annotateMerge(describe("Metrics", "Figures of this process in the text format of Prometheus, version 0.0.4.")),
  )
  .annotateMerge(OpenApi.annotations({ title: "Metrics", description: "For a Prometheus server" })) {}
