import { Effect, Queue, type Scope } from "effect"
import { TestServer } from "../../../service/test/TestServer.ts"

/** A message of the socket. */
export interface SocketMessage {
  readonly type: string
  // Tests check the fields that matter.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly [field: string]: any
}

/** A WebSocket as a browser has it. */
export interface TemplateSocket {
  readonly send: (message: unknown) => Effect.Effect<void>
  readonly sendText: (text: string) => Effect.Effect<void>
  /** The next message, heartbeats left out. */
  readonly next: Effect.Effect<SocketMessage>
  /** Waits until everything that was sent so far is taken. */
  readonly taken: Effect.Effect<void>
  /** Why it was closed. */
  readonly closed: Effect.Effect<number>
}

export const openSocket = Effect.fnUntraced(function* (): Effect.fn.Return<
  TemplateSocket,
  never,
  TestServer | Scope.Scope
> {
  const { url } = yield* TestServer
  const messages = yield* Queue.unbounded<SocketMessage>()
  const socket = new WebSocket(`${url.replace("http", "ws")}/compat/datapi/ws`)
  yield* Effect.addFinalizer(() => Effect.sync(() => socket.close()))
  const closing = new Promise<number>((resolve) => socket.addEventListener("close", ({ code }) => resolve(code)))
  socket.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as SocketMessage
    if (message.type !== "heartbeat") Queue.offerUnsafe(messages, message)
  })
  yield* Effect.promise(() => new Promise((resolve) => socket.addEventListener("open", resolve)))
  const sendText = (text: string) => Effect.sync(() => socket.send(text))
  const send = (message: unknown) => sendText(JSON.stringify(message))
  const next = Queue.take(messages)
  return {
    ...{ send, sendText, next, closed: Effect.promise(() => closing) },
    // Messages are taken in order, and what is not known is answered.
    taken: Effect.andThen(
      send({ type: "nothing" }),
      Effect.repeat(next, { until: ({ type }) => type === "error" }),
    ).pipe(Effect.asVoid),
  }
})
