import { RegistryError, type StreamEvent } from "@launch-registry/client"
import { registry } from "./Connection.ts"

const RESTART_MILLIS = 30_000

/** What a reader of the stream is told. */
export interface StreamReader {
  readonly onEvent: (event: StreamEvent) => void
  readonly onState: (isLive: boolean) => void
}

/** Follows the stream, of one mint with a `filter`, until `signal` aborts: after a cut it resumes after the last event. */
export const follow = async (
  types: ReadonlyArray<string>,
  { onEvent, onState }: StreamReader,
  signal: AbortSignal,
  filter: { readonly mintAddresses?: string } = {},
): Promise<void> => {
  while (!signal.aborted) {
    try {
      const events = registry.stream.changes({ types, ...filter }, { signal, onConnection: onState })
      for await (const event of events) onEvent(event)
    } catch (error) {
      // A refusal, such as of a proxy without a route: it may have one later.
      if (error instanceof RegistryError) await new Promise((resolve) => setTimeout(resolve, RESTART_MILLIS))
      else if (!signal.aborted) throw error
    }
  }
}
