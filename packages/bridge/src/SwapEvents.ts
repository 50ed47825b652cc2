import { SwapEvent } from "@launch-registry/domain/bridge/BridgeSwap"
import { picking } from "@launch-registry/postgres/SchemaRow"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SwapRow } from "./SwapRow.ts"

interface NewEvent {
  readonly at: Date
  readonly type: SwapEvent["type"]
  readonly detail?: string | undefined
  /** The answer of the swap service. */
  readonly raw?: string | undefined
}

/** One event as `events` of a swap has it, with the state of the swap after it. PostgreSQL stores neither NUL nor lone surrogates. */
const stored = (
  { status, substatus, upstreamStatus }: Pick<SwapRow, "status" | "substatus" | "upstreamStatus">,
  { at, detail, raw, type }: NewEvent,
): string => {
  const event = { at, type, status, substatus, upstreamStatus, detail: detail || null, raw: raw || null }
  return JSON.stringify([event], (_, value: unknown) =>
    typeof value === "string" ? value.replaceAll("\u0000", "").toWellFormed() : value,
  )
}

/** The first value of `events`, or what it becomes with another event. */
export const firstEvent = (sql: SqlClient, ...event: Parameters<typeof stored>) => sql`${stored(...event)}::text::jsonb`
export const withEvent = (sql: SqlClient, ...event: Parameters<typeof stored>) =>
  sql`events || ${stored(...event)}::text::jsonb`

/** An event without the answer that it came with. */
export const toEvent = picking<SwapEvent>(SwapEvent.fields)
