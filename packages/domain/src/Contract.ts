import { HttpApi, OpenApi } from "effect/http-api"
import { Api } from "./Api.ts"
import { forClients } from "./http/OpenApiForClients.ts"
import { GatewayApi } from "./ipfs/GatewayApi.ts"
import { MetricsApi } from "./system/MetricsApi.ts"
import { WebhooksApi } from "./webhooks/WebhooksApi.ts"

/** What is answered by routers of their own: content as it is, metrics, and deliveries that are read as bytes. */
class PlainRoutes extends HttpApi.make("plain-routes").add(GatewayApi).add(MetricsApi).add(WebhooksApi) {}

/** Everything that this service answers, as it is documented: `openapi.json` is made of it. */
export const Contract = Api.addHttpApi(PlainRoutes).annotate(OpenApi.Transform, forClients)
