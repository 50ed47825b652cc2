import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { decodeCursor, encodeCursor, type Position } from "./Cursor.ts"

/** Rows read at a time when a whole list is sent: what bounds the memory of an answer. */
const CHUNK_ROWS = 500

/** Page size of a cursor that comes without a limit. */
const CURSOR_LIMIT = 100

/** What a list query asked for (`limit`, `offset`, `cursor`). */
export interface Paging {
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
}

/** A stretch of a list: `limit` rows after a position, or after skipping `offset` rows. */
export interface Stretch {
  readonly limit: number
  readonly offset: number
  readonly after: Position | undefined
}

export interface Row<A> {
  readonly item: A
  readonly position: Position
}

const encoder = new TextEncoder()

/**
 * Answers a list under `key`: one page with `pagination` when a limit or a cursor asks for it (or the list has a
 * default limit), otherwise all of it, chunk by chunk in constant memory.
 */
export const answerList = Effect.fnUntraced(function* <A, E>(options: {
  readonly key: "data" | "transactions"
  readonly paging: Paging
  readonly defaultLimit?: number
  /** Of a list that is ranked, how many ranks there are. */
  readonly ranks?: number
  readonly read: (stretch: Stretch) => Effect.Effect<ReadonlyArray<Row<A>>, E>
}) {
  const { key, paging, read } = options
  if (paging.cursor !== undefined && paging.offset !== undefined) {
    return yield* new InvalidRequest({
      issues: [{ path: "query.offset", message: "expected no offset beside a cursor" }],
    })
  }
  const after = paging.cursor === undefined ? undefined : yield* decodeCursor(paging.cursor, options.ranks)
  const offset = paging.offset ?? 0
  const limit = paging.limit ?? options.defaultLimit ?? (after === undefined ? undefined : CURSOR_LIMIT)
  if (limit !== undefined) {
    const rows = yield* read({ limit: limit + 1, offset, after })
    const page = rows.slice(0, limit)
    const nextCursor = rows.length > limit ? encodeCursor(page.at(-1)!.position) : null
    return HttpServerResponse.jsonUnsafe({
      success: true,
      [key]: page.map(({ item }) => item),
      pagination: { limit, nextCursor },
    })
  }
  // The first chunk is read before the answer starts, so that a fault still has a status of its own.
  const first = yield* read({ limit: CHUNK_ROWS, offset, after: undefined })
  if (first.length < CHUNK_ROWS)
    return HttpServerResponse.jsonUnsafe({ success: true, [key]: first.map(({ item }) => item) })
  return HttpServerResponse.stream(wholeList(key, first, read), { contentType: "application/json" })
})

const wholeList = <A, E>(
  key: string,
  first: ReadonlyArray<Row<A>>,
  read: (stretch: Stretch) => Effect.Effect<ReadonlyArray<Row<A>>, E>,
) => {
  const chunks = Stream.paginate(first, (rows) =>
    Effect.map(
      rows.length < CHUNK_ROWS
        ? Effect.succeed<ReadonlyArray<Row<A>>>([])
        : read({ limit: CHUNK_ROWS, offset: 0, after: rows.at(-1)!.position }),
      (next) => [[rows], next.length === 0 ? Option.none() : Option.some(next)] as const,
    ),
  )
  const text = chunks.pipe(
    Stream.zipWithIndex,
    Stream.map(([rows, index]) => (index === 0 ? "" : ",") + rows.map(({ item }) => JSON.stringify(item)).join(",")),
  )
  return Stream.make(`{"success":true,"${key}":[`).pipe(
    Stream.concat(text),
    Stream.concat(Stream.make("]}")),
    Stream.map((part) => encoder.encode(part)),
  )
}
