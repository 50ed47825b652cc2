import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { Cursor, Position } from "./Cursor.ts"
import { LIST_CHUNK_BYTES, WholeListsOfServer } from "./WholeLists.ts"

/** Rows read first of a whole list, when nothing is known of their size; shorter lists are answered at once. */
const FIRST_ROWS = 100
/** Rows read at a time, however small they are, and however large. */
const [CHUNK_ROWS_MAX, CHUNK_ROWS_MIN] = [500, 10]

/** What a list query asked for (`limit`, `offset`, `cursor`). */
export interface Paging {
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
}

/** A stretch of a list: `limit` rows after a position, or after skipping `offset` rows. */
export interface Stretch<P = Position> {
  readonly limit: number
  readonly offset: number
  readonly after: P | undefined
}

export interface Row<A, P = Position> {
  readonly item: A
  readonly position: P
}

type ReadRows<A, P, E> = (stretch: Stretch<P>) => Effect.Effect<ReadonlyArray<Row<A, P>>, E>

export interface List<Key extends string, A, P, E> {
  readonly key: Key
  readonly paging: Paging
  readonly cursor: Cursor<P>
  /** Page size of a list that is never sent whole: it has one when no limit was asked for. */
  readonly defaultLimit?: number
  readonly read: ReadRows<A, P, E>
}

/** Where a list begins that a query asks for. */
const startOf = Effect.fnUntraced(function* <P>({ cursor, offset }: Paging, cursors: Cursor<P>) {
  if (cursor === undefined) return { after: undefined, offset: offset ?? 0 }
  // Clients that fill in defaults send 0 with every page.
  if (offset !== undefined && offset > 0) {
    return yield* new InvalidRequest({
      issues: [{ path: "query.offset", message: "expected no offset with a cursor" }],
    })
  }
  return { after: yield* cursors.decode(cursor), offset: 0 }
})

/** Rows as they are sent, and what comes after them. */
interface Chunk<P> {
  readonly json: string
  readonly next: Part<P> | undefined
  /** Behind the last row, when no chunk comes after this one. */
  readonly nextCursor: string | null
}

/** A part of a list that is read at once; `wanted` rows are still to come with it, if the list is a page. */
interface Part<P> {
  readonly stretch: Stretch<P>
  readonly wanted: number
}

/**
 * Answers a list under `key`: one page, with `pagination`, when a limit or a cursor asks for it or the list has a default limit;
 * otherwise all of it. What is long is sent chunk by chunk.
 */
export const answerList = Effect.fnUntraced(function* <A, P, E>({
  cursor,
  defaultLimit,
  key,
  paging,
  read,
}: List<string, A, P, E>) {
  const limit = paging.limit ?? defaultLimit ?? (paging.cursor === undefined ? undefined : PAGE_LIMIT)
  const start = yield* startOf(paging, cursor)
  const lists = yield* WholeListsOfServer
  const wanted = limit ?? Number.POSITIVE_INFINITY

  const chunkOf = ({ stretch, wanted }: Part<P>): Effect.Effect<Chunk<P>, E> =>
    // One row more tells whether the list goes on.
    lists.inTurn(
      stretch.limit,
      Effect.map(read({ ...stretch, limit: stretch.limit + 1 }), (found) => {
        const rows = found.slice(0, stretch.limit)
        const json = rows.map(({ item }) => JSON.stringify(item)).join(",")
        const after = rows.at(-1)?.position
        if (found.length <= rows.length || after === undefined) return { json, next: undefined, nextCursor: null }
        const left = wanted - rows.length
        if (left <= 0) return { json, next: undefined, nextCursor: cursor.encode(after) }
        const fitting = Math.floor((LIST_CHUNK_BYTES * rows.length) / Buffer.byteLength(json))
        const size = Math.min(left, CHUNK_ROWS_MAX, Math.max(CHUNK_ROWS_MIN, fitting))
        return { json, next: { stretch: { limit: size, offset: 0, after }, wanted: left }, nextCursor: null }
      }),
    )
  const head = `{"success":true,"${key}":[`
  const endOf = ({ nextCursor }: Chunk<P>) =>
    limit === undefined ? "]}" : `],"pagination":${JSON.stringify({ limit, nextCursor })}}`

  // The first chunk is read before the answer starts, so that a fault still has a status of its own.
  const first = yield* chunkOf({ stretch: { ...start, limit: Math.min(FIRST_ROWS, wanted) }, wanted })
  if (first.next === undefined)
    return HttpServerResponse.text(head + first.json + endOf(first), { contentType: "application/json" })
  yield* lists.hold
  const rest = Stream.paginate(first.next, (part) =>
    Effect.map(chunkOf(part), (chunk) => {
      const text = `,${chunk.json}${chunk.next === undefined ? endOf(chunk) : ""}`
      return [[Buffer.from(text) as Uint8Array], Option.fromUndefinedOr(chunk.next)] as const
    }),
  )
  const chunks = Stream.concat(Stream.make(Buffer.from(head + first.json) as Uint8Array), rest)
  return HttpServerResponse.stream(chunks, { contentType: "application/json" })
})
