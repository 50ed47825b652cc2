import type { SwapEvent } from "@launch-registry/domain/bridge/BridgeSwap"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SwapRow } from "./SwapRow.ts"

interface EventRow extends Omit<SwapEvent, "at"> {
  readonly at: Date
}

/** SQL of `bridge_events`: what happened to swaps, by the version that it gave them. Rows are added and never changed. */
export const swapEvents = (sql: SqlClient) => ({
  add: (
    swap: Pick<SwapRow, "id" | "version" | "status" | "substatus" | "upstreamStatus">,
    event: { readonly at: Date; readonly type: SwapEvent["type"]; readonly detail?: string; readonly raw?: string },
  ) => sql`
    insert into bridge_events (swap_id, version, at, type, status, substatus, upstream_status, detail, raw)
    values (${swap.id}, ${swap.version}, ${event.at}, ${event.type}, ${swap.status}, ${swap.substatus},
      ${swap.upstreamStatus}, ${event.detail ?? null}, ${event.raw ?? null})`,

  of: (id: string) => sql<EventRow>`
    select at, type, status, substatus, upstream_status, detail from bridge_events
    where swap_id = ${id}::uuid order by version`,
})

export const toEvent = ({ at, detail, status, substatus, type, upstreamStatus }: EventRow): SwapEvent => ({
  at: timestampOf(at),
  type,
  status,
  substatus,
  upstreamStatus,
  detail,
})
