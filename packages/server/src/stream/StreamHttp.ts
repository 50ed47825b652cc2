import { Api } from "@launch-registry/domain/Api"
import { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { CHANGE_TYPES } from "@launch-registry/domain/stream/ChainChange"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { AddressCapsOfServer } from "@launch-registry/http/listener/AddressCaps"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { ChangeFeed } from "./ChangeFeed.ts"

const { respondAs } = answersOf("stream")

/** A proxy that buffers responses would delay events. */
const HEADERS = { "cache-control": "no-cache, no-transform", "x-accel-buffering": "no" }

/** Handler of `/api/stream`. */
export const StreamHttp = HttpApiBuilder.group(
  Api,
  "stream",
  Effect.fn(function* (handlers) {
    const feed = yield* ChangeFeed
    return handlers.handleAll({
      changes: Effect.fnUntraced(function* ({ headers, query, request }) {
        const caps = yield* AddressCapsOfServer
        yield* caps.hold("streams", request, (limit) => new LimitReached({ resource: "streams", limit }))
        const events = yield* feed.open({
          types: new Set(query.types?.split(",") ?? CHANGE_TYPES),
          mints: query.mintAddresses?.split(","),
          submissions: query.submissions?.split(",") ?? [],
          markets: query.markets?.split(",") ?? [],
          lastEventId: headers["last-event-id"] ?? query.lastEventId,
        })
        return respondAs(
          "changes",
          HttpServerResponse.stream(events, { contentType: "text/event-stream", headers: HEADERS }),
        )
      }),
    } satisfies Answering<"stream">)
  }),
)
