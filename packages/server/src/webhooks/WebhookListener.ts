import { randomUUID } from "node:crypto"
import type { IncomingMessage, Server, ServerResponse } from "node:http"
import type { ErrorEnvelope, ErrorResponse } from "@launch-registry/domain/http/ErrorEnvelope"
import { RequestId } from "@launch-registry/domain/http/RequestId"
import { BodyTooSlow } from "@launch-registry/domain/http/LimitErrors"
import { giveBackMemory } from "@launch-registry/domain/webhooks/BodyMemory"
import { InboxFull, InboxUnavailable } from "@launch-registry/domain/webhooks/WebhookErrors"
import type { DeliveryAnswer, WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Effect, Schema } from "effect"
import { interceptRequests } from "@launch-registry/http/listener/InterceptRequests"
import { keepPace } from "./DeliveryPace.ts"

/** What of a delivery has to be known before its body is read. */
export interface WebhookListenerOptions {
  readonly path: string
  readonly bodyBytesMax: number
  readonly bodySlackMillis: number
  readonly isAuthentic: (authorization: string | undefined) => boolean
  readonly receive: WebhookInbox["Service"]["receive"]
}

/**
 * Takes authentic deliveries off `server` before its router sees them: a router's way costs several times what it takes to keep a
 * transaction. Whatever is not plainly one (another path, a wrong secret, no length or too much of it) goes on to the router, which
 * knows what to answer.
 */
export const takeDeliveries = (server: Server, options: WebhookListenerOptions): Server => {
  const take = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const length = Number(request.headers["content-length"] ?? Number.NaN)
    const isDelivery =
      request.method === "POST" &&
      request.url === options.path &&
      length <= options.bodyBytesMax &&
      options.isAuthentic(request.headers.authorization)
    if (!isDelivery) return next()
    const { onBody, onTooSlow } = answers(options, response)
    // Before the body is read, which leaves nothing of its pieces.
    keepPace(request, options.bodySlackMillis, onTooSlow)
    receiveBody(request, length, onBody)
  }
  return interceptRequests(server, take, ["request"])
}

const receiveBody = (request: IncomingMessage, length: number, onBody: (body: Uint8Array) => void): void => {
  // Node takes no more than the length that was announced, and breaks the connection over less.
  let body: Buffer = Buffer.alloc(0)
  let at = 0
  request.on("data", (chunk: Buffer) => {
    if (chunk.length === length) return void (body = chunk)
    if (at === 0) body = Buffer.allocUnsafeSlow(length)
    at += chunk.copy(body, at)
    giveBackMemory(chunk)
  })
  request.on("end", () => onBody(body))
}

/** What is answered once the body has come, and when it does not. */
const answers = ({ receive }: WebhookListenerOptions, response: ServerResponse) => {
  const requestId = randomUUID()
  const write = (status: number, content: DeliveryAnswer | ErrorEnvelope) => {
    if (response.destroyed || response.headersSent) return
    const text = JSON.stringify(content)
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(text),
      "x-request-id": requestId,
      "x-content-type-options": "nosniff",
      ...(status === 503 && { "retry-after": "1" }),
      ...(status === 408 && { connection: "close" }),
    })
    response.end(text)
  }
  const fault = <E>(declared: ErrorResponse<E>, error: E) =>
    Effect.map(
      Effect.provideService(Effect.orDie(Schema.encodeEffect(declared)(error)), RequestId, requestId),
      (envelope) => write(declared.httpStatus, envelope),
    )
  return {
    onTooSlow: () => Effect.runSync(fault(BodyTooSlow.response, new BodyTooSlow())),
    onBody: (body: Uint8Array) => {
      if (response.headersSent) return
      Effect.runFork(
        receive(body).pipe(
          Effect.map((data) => write(200, { success: true, data })),
          Effect.catchTags({
            InboxFull: (error) => fault(InboxFull.response, error),
            InboxUnavailable: (error) => fault(InboxUnavailable.response, error),
          }),
          Effect.catchDefect(() => fault(InboxUnavailable.response, new InboxUnavailable())),
        ),
      )
    },
  }
}
