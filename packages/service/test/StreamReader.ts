import { Effect } from "effect"
import { assertDeclaredEvent } from "./ContractCheck.ts"

/** An event of `/api/stream`. */
export interface StreamEvent {
  readonly id: string
  readonly type: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any
}

/** Reads server-sent events until the scope closes. */
export const readEvents = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const abort = new AbortController()
      const response = await fetch(url, { signal: abort.signal })
      const events: Array<StreamEvent> = []
      const read = async () => {
        let text = ""
        const decoder = new TextDecoder()
        for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
          text += decoder.decode(chunk, { stream: true })
          const blocks = text.split("\n\n")
          text = blocks.pop()!
          events.push(...blocks.flatMap(eventOf))
        }
      }
      read().catch(() => undefined)
      /** All events up to the first one that `matches`. */
      const until = (matches: (event: StreamEvent) => boolean) =>
        Effect.gen(function* () {
          while (!events.some(matches)) yield* Effect.sleep(50)
          const found = events.slice(0, events.findIndex(matches) + 1)
          for (const { data, id, type } of found)
            assertDeclaredEvent({ ...(id !== "" && { id }), event: type, data: JSON.stringify(data) })
          return found
        })
      return { events, until, close: () => abort.abort() }
    }),
    ({ close }) => Effect.sync(close),
  )

const eventOf = (block: string): ReadonlyArray<StreamEvent> => {
  const fields = new Map(
    block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 1).trim()]),
  )
  const [id, type, data] = [fields.get("id"), fields.get("event"), fields.get("data")]
  return type === undefined || data === undefined ? [] : [{ id: id ?? "", type, data: JSON.parse(data) }]
}
