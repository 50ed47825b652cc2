import { HttpApi, OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import { withAccess } from "./access/OpenApiAccess.ts"
import { forClients } from "./http/OpenApiForClients.ts"
import { GatewayApi } from "./ipfs/GatewayApi.ts"
import { MetricsApi } from "./system/MetricsApi.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"

/** Endpoints with routers of their own: IPFS content, metrics, and webhook deliveries. */
class PlainRoutes extends HttpApi.make("plain-routes").add(GatewayApi).add(MetricsApi).add(WebhooksApi) {}

/** The documented contract: source of `openapi.json`. */
export const Contract = Api.addHttpApi(PlainRoutes).annotate(OpenApi.Transform, (made) =>
  forClients(withAccess(Api)(made)),
)
