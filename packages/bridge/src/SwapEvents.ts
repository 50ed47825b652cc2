import type { SwapEvent } from "@launch-registry/domain/bridge/BridgeSwap"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SwapRow } from "./SwapRow.ts"

interface NewEvent {
  readonly at: Date
  readonly type: SwapEvent["type"]
  readonly detail?: string | undefined
  /** The answer of the swap service, unchanged. */
  readonly raw?: string | undefined
}

/** SQL of `bridge_events`: what happened to swaps, by the version that it gave them. Rows are added and never changed. */
export const swapEvents = (sql: SqlClient) => ({
  add: (
    swap: Pick<SwapRow, "id" | "version" | "status" | "substatus" | "upstreamStatus">,
    { at, detail, raw, type }: NewEvent,
  ) => sql`
    insert into bridge_events (swap_id, version, at, type, status, substatus, upstream_status, detail, raw)
    values (${swap.id}, ${swap.version}, ${at}, ${type}, ${swap.status}, ${swap.substatus}, ${swap.upstreamStatus},
      ${detail || null}, ${raw || null})`,

  of: (id: string) =>
    Effect.map(
      sql<Omit<SwapEvent, "at"> & { readonly at: Date }>`
        select at, type, status, substatus, upstream_status, detail from bridge_events
        where swap_id = ${id}::uuid order by version`,
      (rows) => rows.map((row): SwapEvent => ({ ...row, at: timestampOf(row.at) })),
    ),
})
