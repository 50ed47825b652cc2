import { Api } from "@launch-registry/domain/Api"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { startInstant } from "@launch-registry/domain/time/Timestamp"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { newestFirst } from "@launch-registry/http/answers/Cursor"
import { IdempotentRequests } from "@launch-registry/http/idempotency/IdempotentRequests"
import { sentOnce } from "@launch-registry/http/idempotency/StoredResponse"
import { withJsonBodies } from "@launch-registry/http/requests/JsonBody"
import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { positionOf as endpointPosition, toEndpoint } from "./NotificationEndpoints.ts"
import { positionOf as messagePosition, toMessage } from "./NotificationMessages.ts"
import { Notifications } from "./Notifications.ts"

const { respond, respondList } = answersOf("notifications")

const NO_STORE = { "cache-control": "no-store" }

/** Handlers of `/api/notifications`. */
export const NotificationsHttp = HttpApiBuilder.group(
  Api,
  "notifications",
  Effect.fn(function* (handlers) {
    const { parts } = yield* Notifications
    const requests = yield* IdempotentRequests

    return withJsonBodies(handlers).handleAll({
      create: Effect.fnUntraced(function* ({ payload }) {
        const { endpoints } = yield* parts
        const draft = { ...payload, url: yield* endpoints.checkUrl(payload.url) }
        return yield* requests.commit(
          Effect.map(endpoints.create(draft), ({ secret, ...data }) => {
            const message = "The endpoint is created; keep its secret, which is not answered again"
            const headers = { location: `/api/notifications/endpoints/${data.id}`, ...NO_STORE }
            return sentOnce(
              respond("create", { data: { ...data, secret }, message }, headers),
              respond("create", { data, message: "The endpoint is created; its secret was answered before" }, headers),
            )
          }),
        )
      }),
      list: Effect.fnUntraced(function* ({ query }) {
        const { endpoints } = yield* parts
        return yield* respondList("list", {
          key: "data",
          paging: query,
          cursor: newestFirst("endpoints"),
          defaultLimit: PAGE_LIMIT,
          read: (range) =>
            Effect.map(endpoints.list(range), (rows) =>
              rows.map((row) => ({ item: toEndpoint(row), position: endpointPosition(row) })),
            ),
        })
      }),
      get: Effect.fnUntraced(function* ({ params }) {
        const { endpoints } = yield* parts
        return respond("get", { data: toEndpoint(yield* endpoints.get(params.id)) })
      }),
      update: Effect.fnUntraced(function* ({ params, payload }) {
        const { endpoints } = yield* parts
        // Before the URL: a stranger learns nothing of what it resolves to.
        yield* endpoints.get(params.id)
        const change = payload.url === undefined ? {} : { url: yield* endpoints.checkUrl(payload.url) }
        const row = yield* endpoints.update(params.id, { ...payload, ...change })
        return respond("update", { data: toEndpoint(row), message: "Endpoint changed" })
      }),
      remove: Effect.fnUntraced(function* ({ params }) {
        const { endpoints } = yield* parts
        yield* endpoints.remove(params.id)
        return respond("remove", { data: { deleted: true }, message: "Endpoint deleted" })
      }),
      rotateSecret: Effect.fnUntraced(function* ({ payload }) {
        const { endpoints } = yield* parts
        return yield* requests.commit(
          Effect.map(endpoints.rotateSecret(payload.endpointId), ({ secret, ...data }) =>
            sentOnce(
              respond("rotateSecret", { data: { ...data, secret } }, NO_STORE),
              respond("rotateSecret", { data }, NO_STORE),
            ),
          ),
        )
      }),
      test: Effect.fnUntraced(function* ({ payload }) {
        const { messages } = yield* parts
        return yield* requests.commit(
          Effect.map(messages.test(payload.endpointId), (row) =>
            respond("test", { data: toMessage(row), message: "The test event is queued" }),
          ),
        )
      }),
      messages: Effect.fnUntraced(function* ({ params, query }) {
        const { endpoints, messages } = yield* parts
        yield* endpoints.get(params.id)
        return yield* respondList("messages", {
          key: "data",
          paging: query,
          cursor: newestFirst("messages of an endpoint", params.id, query),
          defaultLimit: PAGE_LIMIT,
          read: (range) =>
            Effect.map(messages.list(params.id, query, range), (rows) =>
              rows.map((row) => ({ item: toMessage(row), position: messagePosition(row) })),
            ),
        })
      }),
      redeliverFailed: Effect.fnUntraced(function* ({ payload }) {
        const { messages } = yield* parts
        return yield* requests.commit(
          Effect.map(messages.redeliverFailed(payload.endpointId, startInstant(payload.since)), (data) =>
            respond("redeliverFailed", { data }),
          ),
        )
      }),
      message: Effect.fnUntraced(function* ({ params }) {
        const { messages } = yield* parts
        return respond("message", { data: yield* messages.record(params.id) })
      }),
      redeliver: Effect.fnUntraced(function* ({ payload }) {
        const { messages } = yield* parts
        return yield* requests.commit(
          Effect.map(messages.redeliver(payload.messageId), (row) =>
            respond("redeliver", { data: toMessage(row), message: "The message is queued again" }),
          ),
        )
      }),
    } satisfies Answering<"notifications">)
  }),
)
