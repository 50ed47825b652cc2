import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { Forbidden } from "@launch-registry/domain/http/AccessErrors"
import { Busy, LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { respondError } from "@launch-registry/http/answers/Respond"
import { AddressCapsOfServer } from "@launch-registry/http/listener/AddressCaps"
import { Clock, Deferred, Effect } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CloseEvent } from "effect/socket/Socket"
import { ChangeFeed } from "../stream/ChangeFeed.ts"
import { DATAPI } from "./DatapiApi.ts"
import { DatapiFeed } from "./DatapiFeed.ts"
import { readMessage } from "./DatapiMessage.ts"
import { DatapiReader } from "./DatapiReader.ts"

export const DATAPI_SOCKET = `${DATAPI}/ws`

/** A client that has not taken so much is dropped. */
const UNSENT_BYTES_MAX = 1_000_000

/** Messages that a client may send at once, and how many more with each second: the template sends one when a list of its page changes. */
const [MESSAGES_AT_ONCE, MESSAGES_PER_SECOND] = [200, 20]
/** RFC 6455, section 7.4.1. */
const POLICY_VIOLATION = 1_008

/** Proxies close what is silent for a minute. The template ignores the message, and what is not taken until the next one ends a connection. */
const HEARTBEAT = "15 seconds"
const HEARTBEAT_TEXT = JSON.stringify({ type: "heartbeat" })

interface SocketOptions {
  /** Pages that may connect; all by default. */
  readonly origins: ReadonlyArray<string> | undefined
}

/** `GET /compat/datapi/ws`, a WebSocket: JSON as text, one object a message. */
export const datapiSocket = ({ origins }: SocketOptions) =>
  HttpRouter.use((router) =>
    Effect.gen(function* () {
      const changes = yield* ChangeFeed
      const feed = yield* DatapiFeed

      const serve = Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { origin, upgrade } = request.headers
        if (upgrade?.toLowerCase() !== "websocket")
          return yield* InvalidRequest.at("headers.upgrade", "expected websocket")
        // Browsers connect for pages of any origin, and leave it to the server.
        if (origins !== undefined && origin !== undefined && !origins.includes(origin))
          return yield* new Forbidden({ reason: "a page of an origin that CORS_ORIGINS names" })
        const caps = yield* AddressCapsOfServer
        yield* caps.hold("streams", request, (limit) => new LimitReached({ resource: "streams", limit }))
        yield* changes.hold
        const socket = yield* Effect.mapError(request.upgrade, () =>
          InvalidRequest.at("headers.upgrade", "expected on a GET of this path, with no request before it unanswered"),
        )
        const { pull } = yield* socket.reader
        const { write } = yield* socket.writer
        const { socket: connection } = NodeHttpServerRequest.toIncomingMessage(request)
        const ended = yield* Deferred.make<void>()

        const send = (text: string) =>
          Effect.suspend(() => {
            if (connection.writableLength <= UNSENT_BYTES_MAX) return Effect.ignore(write(text))
            connection.resetAndDestroy()
            return Effect.void
          })
        const reader = new DatapiReader(send, () => Deferred.doneUnsafe(ended, Effect.void))
        // What arrives meanwhile stays in the kernel: the reader would keep any number of empty messages.
        connection.pause()
        yield* feed.join(reader)
        connection.resume()

        const refuse = ({ issues }: InvalidRequest) =>
          send(JSON.stringify({ type: "error", code: InvalidRequest.response.code, issues }))
        const take = Effect.fnUntraced(function* (sent: string | Uint8Array) {
          const message = yield* readMessage(typeof sent === "string" ? sent : new TextDecoder().decode(sent))
          const fault = reader.take(message)
          if (fault !== undefined) return yield* InvalidRequest.at("body", fault)
        })
        let left = MESSAGES_AT_ONCE
        let countedAt = yield* Clock.currentTimeMillis
        const takeAll = Effect.gen(function* () {
          for (;;) {
            const sent = yield* pull
            const now = yield* Clock.currentTimeMillis
            left = Math.min(left + ((now - countedAt) * MESSAGES_PER_SECOND) / 1_000, MESSAGES_AT_ONCE) - sent.length
            countedAt = now
            if (left < 0) {
              yield* write(new CloseEvent(POLICY_VIOLATION, "too many messages"))
              // What it goes on to send would be read until it has answered.
              return connection.destroySoon()
            }
            yield* Effect.forEach(sent, (one) => Effect.catch(take(one), refuse), { discard: true })
          }
        })
        let taken = 0
        const beat = Effect.gen(function* () {
          yield* Effect.sleep(HEARTBEAT)
          const before = taken
          taken = connection.bytesWritten - connection.writableLength
          if (connection.writableLength > 0 && taken === before) connection.resetAndDestroy()
          yield* send(HEARTBEAT_TEXT)
        })
        yield* Effect.raceAllFirst([takeAll, Effect.forever(beat), Deferred.await(ended)])
        return HttpServerResponse.empty()
      }).pipe(
        Effect.scoped,
        Effect.catchTags({
          InvalidRequest: (error) => respondError(InvalidRequest.response, error),
          Forbidden: (error) => respondError(Forbidden.response, error),
          LimitReached: (error) => respondError(LimitReached.response, error),
          Busy: (error) => respondError(Busy.response, error),
          // The client has gone, or its handshake was answered.
          SocketError: () => Effect.succeed(HttpServerResponse.empty()),
        }),
      )
      yield* router.add("GET", DATAPI_SOCKET, serve)
    }),
  )
