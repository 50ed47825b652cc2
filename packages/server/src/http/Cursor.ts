import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect } from "effect"

/** Place of a row in a list: what a page ended with and the next one goes on after. Newest first, then by id. */
export interface Position {
  /** Group that sorts before time, for lists that are ranked; 0 in others. */
  readonly rank: number
  readonly createdAt: Date
  readonly id: string
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The opaque text of a position. */
export const encodeCursor = ({ createdAt, id, rank }: Position): string =>
  Buffer.from(`${rank}.${createdAt.getTime()}.${id}`).toString("base64url")

/** The position that a cursor of an earlier answer stands for. */
export const decodeCursor = (cursor: string): Effect.Effect<Position, InvalidRequest> => {
  const [rank = "", millis = "", id = ""] = Buffer.from(cursor, "base64url").toString().split(".")
  return /^\d$/.test(rank) && /^\d{1,15}$/.test(millis) && UUID.test(id)
    ? Effect.succeed({ rank: Number(rank), createdAt: new Date(Number(millis)), id })
    : Effect.fail(
        new InvalidRequest({ issues: [{ path: "query.cursor", message: "expected a cursor of an earlier answer" }] }),
      )
}
