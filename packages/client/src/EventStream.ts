import type { ClientRefusal } from "./Call.ts"
import { eventParser } from "./EventParser.ts"
import type { ChangesRequest, StreamEvent } from "./generated/Contract.ts"
import { RegistryError, type Refusal } from "./RegistryError.ts"
import type { Transport } from "./Transport.ts"
import { backoff, retryAfter, sleep } from "./Waiting.ts"

/** A heartbeat comes every 15 seconds: after this the connection is as good as lost. */
const SILENCE_MAX_MILLIS = 45_000
const BACKOFF_MAX_MILLIS = 30_000

/** The text of a response as it comes; aborts the connection when nothing comes. */
async function* textOf(response: Response, connection: AbortController): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const timer = setTimeout(() => connection.abort(), SILENCE_MAX_MILLIS)
    try {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    } finally {
      clearTimeout(timer)
    }
  }
}

export interface StreamOptions {
  readonly signal?: AbortSignal | undefined
  /** Called with `true` when a connection is open, and with `false` when it is lost. */
  readonly onConnection?: ((isOpen: boolean) => void) | undefined
}

/**
 * The events of the registry, for as long as they are read. A connection that breaks is opened again after the last event, so that none is
 * missed and none comes twice; `reset` says where that is not possible. Throws `RegistryError` for what another attempt cannot mend.
 */
export const eventStream = ({ open }: Transport) =>
  async function* changes(
    { lastEventId, ...filter }: ChangesRequest = {},
    { onConnection, signal }: StreamOptions = {},
  ): AsyncGenerator<StreamEvent, void> {
    let last = lastEventId
    let attempt = 0
    for (;;) {
      signal?.throwIfAborted()
      const connection = new AbortController()
      const leave = () => connection.abort(signal!.reason)
      signal?.addEventListener("abort", leave)
      let wait: number | undefined
      let isOpen = false
      try {
        const query = new URLSearchParams()
        for (const [name, value] of Object.entries({ ...filter, lastEventId: last }))
          if (value !== undefined) query.set(name, String(value))
        const response = await open(`/api/stream?${query}`, { accept: "text/event-stream" }, connection.signal)
        if (response.ok && response.body !== null) {
          const parse = eventParser()
          isOpen = true
          onConnection?.(true)
          for await (const part of textOf(response, connection)) {
            const { events, lastId } = parse(part)
            attempt = 0
            for (const { data, event, id } of events)
              yield { ...(id !== undefined && { id }), event, data: JSON.parse(data) } as unknown as StreamEvent
            last = lastId ?? last
          }
        } else {
          wait = retryAfter(response)
          const { status } = response
          const refusal = (await response.json().catch(() => undefined)) as Refusal | undefined
          if (status < 500 && status !== 408 && status !== 429)
            throw new RegistryError<Refusal | ClientRefusal>(
              refusal ?? { success: false, code: "unexpected_answer", message: `HTTP ${status}`, status },
            )
        }
      } catch (cause) {
        signal?.throwIfAborted()
        if (cause instanceof RegistryError) throw cause
      } finally {
        signal?.removeEventListener("abort", leave)
        connection.abort()
        if (isOpen) onConnection?.(false)
      }
      await sleep((wait ?? 0) + backoff(attempt++, BACKOFF_MAX_MILLIS), signal)
    }
  }
