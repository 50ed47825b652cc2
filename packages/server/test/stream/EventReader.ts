import { Cause, Effect, Queue, Schedule, type Scope } from "effect"
import { assertDeclaredEvent } from "../../../service/test/ContractCheck.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

/** A block of a text/event-stream, as received. */
export interface StreamBlock {
  readonly id: string | undefined
  readonly event: string | undefined
  // Tests check the fields that matter.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any
  readonly comment: string | undefined
  readonly retry: string | undefined
}

/** The end of a stream: regular, or a broken connection. */
export type StreamEnd = "ended" | "broken"

export interface EventReader {
  readonly response: Response
  /** The next block of any kind; fails at the end of the stream. */
  readonly nextBlock: Effect.Effect<StreamBlock, StreamEnd>
  /** The next block with an event. */
  readonly next: Effect.Effect<StreamBlock, StreamEnd>
  readonly close: Effect.Effect<void>
}

const blockOf = (text: string): StreamBlock => {
  const fields = new Map(
    text.split("\n").map((line) => {
      const colon = line.indexOf(":")
      return [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")] as const
    }),
  )
  const [id, event, data] = [fields.get("id"), fields.get("event"), fields.get("data")]
  if (id !== undefined && event !== undefined && data !== undefined) assertDeclaredEvent({ id, event, data })
  return {
    id,
    event,
    data: data === undefined ? undefined : JSON.parse(data),
    comment: fields.get(""),
    retry: fields.get("retry"),
  }
}

/** Follows `/api/stream` like an EventSource, block by block. */
export const follow = Effect.fnUntraced(function* (
  query = "",
  lastEventId?: string,
): Effect.fn.Return<EventReader, never, TestServer | Scope.Scope> {
  const { url } = yield* TestServer
  const abort = new AbortController()
  const headers = lastEventId === undefined ? {} : { "last-event-id": lastEventId }
  const response = yield* Effect.promise(() => fetch(`${url}/api/stream${query}`, { headers, signal: abort.signal }))
  yield* Effect.addFinalizer(() => Effect.sync(() => abort.abort()))
  const blocks = yield* Queue.unbounded<string, StreamEnd>()
  const read = async () => {
    let text = ""
    const decoder = new TextDecoder()
    for await (const bytes of response.body!) {
      const parts = (text + decoder.decode(bytes, { stream: true })).split("\n\n")
      text = parts.pop()!
      for (const part of parts) Queue.offerUnsafe(blocks, part)
    }
  }
  if (response.status === 200) {
    read().then(
      () => Queue.failCauseUnsafe(blocks, Cause.fail("ended")),
      () => Queue.failCauseUnsafe(blocks, Cause.fail("broken")),
    )
  }
  const nextBlock = Effect.map(Queue.take(blocks), blockOf)
  const next = Effect.gen(function* () {
    for (;;) {
      const block = yield* nextBlock
      if (block.data !== undefined) return block
    }
  })
  return { response, nextBlock, next, close: Effect.sync(() => abort.abort()) }
})

/** The next events. */
export const take = Effect.fnUntraced(function* ({ next }: EventReader, count: number) {
  const events: Array<StreamBlock> = []
  while (events.length < count) events.push(yield* next)
  return events
})

/** Waits until the process admits a subscriber, and disconnects again. */
export const admitted = Effect.scoped(
  Effect.gen(function* () {
    const { response } = yield* follow()
    return response.status === 200 ? undefined : yield* Effect.fail("full" as const)
  }),
).pipe(Effect.retry(Schedule.spaced("10 millis")))
