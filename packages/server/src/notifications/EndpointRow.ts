import { NotificationEndpoint } from "@launch-registry/domain/notifications/NotificationEndpoint"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { columnsOf, picking, type RowOf } from "@launch-registry/postgres/SchemaRow"

/** Columns of an endpoint, of table alias `e`. */
export const ENDPOINT_COLUMNS = columnsOf("e", Object.keys(NotificationEndpoint.fields), {
  failingSince: "e.failing_since",
  skippedMessages: "e.skipped_messages::text",
})

/** An endpoint as the driver gives it. */
export type EndpointRow = Omit<RowOf<NotificationEndpoint>, "failingSince"> & { readonly failingSince: Date | null }

export const toEndpoint: (row: EndpointRow) => NotificationEndpoint = picking(NotificationEndpoint.fields) as never

/** Before the ids of all endpoints. */
export const FIRST_ID = "00000000-0000-0000-0000-000000000000"

export const positionOf = ({ createdAt, id }: EndpointRow): Position => ({ createdAt, id })
