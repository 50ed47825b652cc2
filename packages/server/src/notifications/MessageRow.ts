import { NotificationMessage } from "@launch-registry/domain/notifications/NotificationMessage"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { columnsOf, picking, type RowOf } from "@launch-registry/postgres/SchemaRow"

/** Columns of a message, of table alias `m`. */
export const MESSAGE_COLUMNS = columnsOf("m", Object.keys(NotificationMessage.fields), {
  nextAttemptAt: "case when m.state = 'pending' then m.next_attempt_at end",
})

/** A message as the driver gives it. */
export type MessageRow = RowOf<NotificationMessage>

export const toMessage = picking<NotificationMessage>(NotificationMessage.fields)

export const positionOf = ({ createdAt, id }: MessageRow): Position => ({ createdAt, id })
