import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiMiddleware, HttpApiSecurity, OpenApi } from "effect/http-api"
import { Unauthenticated } from "../http/AccessErrors.ts"
import { describe } from "../http/Describe.ts"
import { EDGE_ERRORS } from "../http/EdgeErrors.ts"
import { Busy } from "../http/LimitErrors.ts"
import {
  BodyTooLarge,
  InternalFault,
  InvalidRequest,
  UnsupportedContentEncoding,
  UnsupportedContentType,
} from "../http/RequestErrors.ts"
import { Unavailable, NotConfigured } from "../http/Unavailable.ts"
import { DeliveryAnswer } from "./WebhookInbox.ts"
import { WEBHOOK_PATH } from "./WebhookPath.ts"

/** The secret that authenticates deliveries. */
class WebhookSecret extends HttpApiMiddleware.Service<WebhookSecret>()(
  "@launch-registry/domain/webhooks/WebhookSecret",
  {
    error: [Unauthenticated.response],
    security: {
      webhookSecret: HttpApiSecurity.apiKey({ in: "header", key: "Authorization" }).pipe(
        HttpApiSecurity.annotateMerge(
          OpenApi.annotations({
            description: "HELIUS_WEBHOOK_SECRET, as the webhook was registered with: no scheme before it",
          }),
        ),
      ),
    },
  },
) {}

/** Deliveries of Helius. Answered by a route of its own. */
export class WebhooksApi extends HttpApiGroup.make("webhooks")
  .add(
    HttpApiEndpoint.post("helius", WEBHOOK_PATH, {
      payload: Schema.Array(Schema.JsonObject),
      success: DeliveryAnswer,
      error: [
        InvalidRequest.response,
        BodyTooLarge.response,
        UnsupportedContentType.response,
        UnsupportedContentEncoding.response,
        NotConfigured.response,
        Busy.response,
        Unavailable.response,
        InternalFault.response,
        ...EDGE_ERRORS,
      ],
    })
      .middleware(WebhookSecret)
      .annotateMerge(
        describe(
          "Deliver transactions",
          "Raw transactions, as the webhooks of Helius send them; at most 32 MiB. 200 once they are durable, whatever they hold: what cannot be read or is incomplete is stored as poison (`GET /api/system/indexer/poison`). 503 asks for the delivery again.",
        ),
      ),
  )
  .annotateMerge(
    OpenApi.annotations({ title: "Webhooks", description: "Transactions of the chain, delivered here" }),
  ) {}
