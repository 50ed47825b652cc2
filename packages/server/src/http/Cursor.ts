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

/** The end of the year 9999: no row is of a later time. */
const MILLIS_MAX = 253_402_300_799_999

const isUpTo = (most: number, number: number): boolean => number >= 0 && number <= most

/** The position that a cursor of an earlier answer stands for, of a list with so many ranks. */
export const decodeCursor = (cursor: string, ranks = 1): Effect.Effect<Position, InvalidRequest> => {
  const [rank = "", millis = "", id = ""] = Buffer.from(cursor, "base64url").toString().split(".")
  const position = { rank: Number(rank), createdAt: new Date(Number(millis)), id }
  return isUpTo(ranks - 1, position.rank) &&
    isUpTo(MILLIS_MAX, Number(millis)) &&
    UUID.test(id) &&
    // There is one way to write a position.
    encodeCursor(position) === cursor
    ? Effect.succeed(position)
    : Effect.fail(
        new InvalidRequest({ issues: [{ path: "query.cursor", message: "expected a cursor of an earlier answer" }] }),
      )
}
