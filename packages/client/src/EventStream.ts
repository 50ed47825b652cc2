import type { ClientRefusal } from "./Call.ts"
import type { ChangesRequest, StreamEvent } from "./generated/Contract.ts"
import { RegistryError, type Refusal } from "./RegistryError.ts"
import type { Transport } from "./Transport.ts"
import { backoff, retryAfter, sleep } from "./Waiting.ts"

/** A heartbeat comes every 15 seconds: after this the connection is as good as lost. */
const SILENCE_MAX_MILLIS = 45_000
const BACKOFF_MAX_MILLIS = 30_000

/** A block of server-sent events: its id and, unless it is a comment, its event. */
export const blockOf = (text: string): { readonly id?: string; readonly event?: StreamEvent } => {
  const fields: Record<string, string> = {}
  for (const line of text.split("\n")) {
    const colon = line.indexOf(":")
    if (colon > 0) fields[line.slice(0, colon)] = line.slice(colon + 1).replace(/^ /, "")
  }
  const { data, event, id } = fields
  const position = id === undefined ? {} : { id }
  return event === undefined || data === undefined
    ? position
    : { ...position, event: { ...position, event, data: JSON.parse(data) } as unknown as StreamEvent }
}

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

/**
 * The events of the registry, for as long as they are read. A connection that breaks is opened again after the last event, so that none is
 * missed and none comes twice; `reset` says where that is not possible. Throws `RegistryError` for what another attempt cannot mend.
 */
export const eventStream = ({ open }: Transport) =>
  async function* changes(
    { lastEventId, ...filter }: ChangesRequest = {},
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): AsyncGenerator<StreamEvent, void> {
    let last = lastEventId
    let attempt = 0
    for (;;) {
      signal?.throwIfAborted()
      const connection = new AbortController()
      const leave = () => connection.abort(signal!.reason)
      signal?.addEventListener("abort", leave)
      let wait: number | undefined
      try {
        const query = new URLSearchParams()
        for (const [name, value] of Object.entries({ ...filter, lastEventId: last }))
          if (value !== undefined) query.set(name, String(value))
        const response = await open(`/api/stream?${query}`, { accept: "text/event-stream" }, connection.signal)
        if (response.ok && response.body !== null) {
          let text = ""
          for await (const part of textOf(response, connection)) {
            const blocks = (text + part).split("\n\n")
            text = blocks.pop()!
            attempt = 0
            for (const { event, id } of blocks.map(blockOf)) {
              last = id ?? last
              if (event !== undefined) yield event
            }
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
      }
      await sleep((wait ?? 0) + backoff(attempt++, BACKOFF_MAX_MILLIS), signal)
    }
  }
