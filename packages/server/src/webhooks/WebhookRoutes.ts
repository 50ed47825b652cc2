import { Unauthenticated } from "@launch-registry/domain/http/AccessErrors"
import { Busy } from "@launch-registry/domain/http/LimitErrors"
import {
  BodyTooLarge,
  InvalidRequest,
  UnsupportedContentEncoding,
  UnsupportedContentType,
} from "@launch-registry/domain/http/RequestErrors"
import { Unavailable, NotConfigured } from "@launch-registry/domain/http/Unavailable"
import { type DeliveryAnswer, WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { WEBHOOK_PATH } from "@launch-registry/domain/webhooks/WebhookPath"
import { ByteSize, Effect, Option, type Redacted } from "effect"
import {
  HttpIncomingMessage,
  HttpRouter,
  type HttpServerError,
  HttpServerRequest,
  HttpServerResponse,
} from "effect/http"
import { checkContentHeaders } from "@launch-registry/http/requests/ContentHeaders"
import { readBody } from "@launch-registry/http/requests/ReadBody"
import { isOneOf } from "@launch-registry/http/requests/SharedSecrets"
import { respondError } from "@launch-registry/http/answers/Respond"

/** Helius names no limit to what it sends at once; a transaction is some 7 KB. */
const BODY_BYTES_MAX = 32 * 1024 * 1024

/**
 * `POST /api/webhooks/helius`: raw transactions, as Helius sends them. 200 once they are durable, whatever they contain: unreadable
 * elements are kept as poison, because a redelivery would not help. 503 asks for a redelivery. A listener before the router would take less than
 * half of the CPU at one transaction per POST, but it would have to keep up with the headers, limits and log of every other request.
 */
export const webhookRoutes = (secrets: ReadonlyArray<Redacted.Redacted>) => {
  const isAuthentic = isOneOf(secrets)

  return HttpRouter.use((router) =>
    Effect.gen(function* () {
      const inbox = yield* Effect.serviceOption(WebhookInbox)
      const receive = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (Option.isNone(inbox) || secrets.length === 0)
          return yield* respondError(
            NotConfigured.response,
            new NotConfigured({ feature: "webhook", reason: "HELIUS_WEBHOOK_SECRET is not set" }),
          )
        if (!isAuthentic(request.headers.authorization ?? ""))
          return yield* respondError(
            Unauthenticated.response,
            new Unauthenticated({ reason: "the Authorization header is not the one that was agreed on" }),
          )
        const content = yield* Effect.result(checkContentHeaders(request.headers, ["application/json"]))
        if (content._tag === "Failure") return yield* contentFault(content.failure)
        const body = yield* Effect.result(readBody(request))
        if (body._tag === "Failure") return yield* bodyFault(body.failure)
        return yield* inbox.value.receive(body.success).pipe(
          Effect.map((data) => HttpServerResponse.jsonUnsafe({ success: true, data } satisfies DeliveryAnswer)),
          Effect.catchTags({
            Busy: (error) => respondError(Busy.response, error),
            Unavailable: (error) => respondError(Unavailable.response, error),
          }),
        )
      }).pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.bytes(BODY_BYTES_MAX)))
      yield* router.add("POST", WEBHOOK_PATH, receive)
    }),
  )
}

const contentFault = (error: UnsupportedContentEncoding | UnsupportedContentType) =>
  error._tag === "UnsupportedContentType"
    ? respondError(UnsupportedContentType.response, error)
    : respondError(UnsupportedContentEncoding.response, error)

const bodyFault = (error: BodyTooLarge | HttpServerError.HttpServerError) => {
  if (error._tag === "BodyTooLarge") return respondError(BodyTooLarge.response, error)
  const issues = [{ path: "body", message: "the body could not be read" }]
  return respondError(InvalidRequest.response, new InvalidRequest({ issues }))
}
