import { CurrentCaller } from "@launch-registry/domain/access/Caller"
import { PAGE_LIMIT } from "@launch-registry/domain/http/Paging"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { ReadSource } from "@launch-registry/postgres/ReadSource"
import { Effect, Option, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { NOT_STORED, REVALIDATED } from "./CacheControl.ts"
import type { Cursor, Position } from "./Cursor.ts"
import { tagged, taggedText } from "./Respond.ts"
import { LIST_CHUNK_BYTES, WholeListsOfServer } from "./WholeLists.ts"

/** Rows of the first read, when their size is unknown; shorter lists need no stream. */
const FIRST_ROWS = 100
/** Bounds of the rows per read. */
const [CHUNK_ROWS_MAX, CHUNK_ROWS_MIN] = [500, 10]

/** Pagination parameters of a request. */
export interface Paging {
  readonly limit?: number
  readonly offset?: number
  readonly cursor?: string
}

/** A range of a list: `limit` rows after a position, or after skipping `offset` rows. */
export interface RowRange<P = Position> {
  readonly limit: number
  readonly offset: number
  readonly after: P | undefined
}

export interface Row<A, P = Position> {
  readonly item: A
  readonly position: P
}

/** Rows of a read that may have ended before its limit: more may follow after `end`. */
export interface RowsUpTo<A, P> {
  readonly rows: ReadonlyArray<Row<A, P>>
  readonly end: P | undefined
  /** Rows of the offset that are still to be skipped after `end`, where the read ended before it had skipped them all. */
  readonly toSkip?: number | undefined
}

type ReadRows<A, P, E> = (range: RowRange<P>) => Effect.Effect<ReadonlyArray<Row<A, P>> | RowsUpTo<A, P>, E>

export interface List<Key extends string, A, P, E> {
  readonly key: Key
  readonly paging: Paging
  readonly cursor: Cursor<P>
  /** Default page size of a list that is always paged. */
  readonly defaultLimit?: number
  /** Whether a read may end before its offset is skipped: the rest of it is then in the cursor. */
  readonly resumesOffset?: boolean
  /** Whether a read of a few rows can take as long as one of many: they are read in turn then, too. */
  readonly isDear?: boolean
  readonly read: ReadRows<A, P, E>
}

/** The start of the requested range. */
const startOf = Effect.fnUntraced(function* <P>(
  { cursor, offset }: Paging,
  cursors: Cursor<P>,
  resumesOffset: boolean,
) {
  if (cursor === undefined) return { after: undefined, offset: offset ?? 0 }
  // Clients that send defaults send 0 with every page.
  if (offset !== undefined && offset > 0) {
    return yield* InvalidRequest.at("query.offset", "expected no offset with a cursor")
  }
  if (!resumesOffset) return { after: yield* cursors.decode(cursor), offset: 0 }
  const { after, toSkip } = yield* cursors.decodeStart(cursor)
  return { after, offset: toSkip }
})

/** Encoded rows, and the next read. */
interface Chunk<P> {
  readonly json: string
  readonly next: Part<P> | undefined
  /** Cursor after the last row, if no chunk follows. */
  readonly nextCursor: string | null
}

/** One read of a list; `wanted` rows are still missing from the page, including this read. */
interface Part<P> {
  readonly range: RowRange<P>
  readonly wanted: number
}

/** Parameters that leave out no row. */
const NO_FILTERS: ReadonlySet<string> = new Set(["cursor", "include", "limit", "offset", "sort"])

/**
 * Responds with a list under `key`: a page with `pagination` if a limit, a cursor or a default limit is given,
 * otherwise the whole list. Long lists are streamed in chunks; shorter ones have an ETag if they are open to everybody.
 */
export const answerList = Effect.fnUntraced(function* <A, P, E>(
  { cursor, defaultLimit, isDear = false, key, paging, read, resumesOffset = false }: List<string, A, P, E>,
  isOpen: boolean,
) {
  const limit = paging.limit ?? defaultLimit ?? (paging.cursor === undefined ? undefined : PAGE_LIMIT)
  const start = yield* startOf(paging, cursor, resumesOffset)
  const lists = yield* WholeListsOfServer
  const wanted = limit ?? Number.POSITIVE_INFINITY
  // Few rows may meet all of several conditions, and an index has the order of one.
  const hasSeveralFilters = Object.keys(paging).filter((name) => !NO_FILTERS.has(name)).length > 1

  const chunkOf = ({ range, wanted }: Part<P>): Effect.Effect<Chunk<P>, E> =>
    // Reads one more row to detect the end of the list.
    lists.inTurn(
      isDear || hasSeveralFilters ? Number.POSITIVE_INFINITY : range.limit + range.offset,
      Effect.map(read({ ...range, limit: range.limit + 1 }), (answered) => {
        const { end, rows: found, toSkip = 0 } = "rows" in answered ? answered : { end: undefined, rows: answered }
        const rows = found.slice(0, range.limit)
        const json = JSON.stringify(rows.map(({ item }) => item)).slice(1, -1)
        const isCut = found.length > rows.length
        const after = isCut ? rows.at(-1)?.position : end
        if (after === undefined) return { json, next: undefined, nextCursor: null }
        const left = wanted - rows.length
        // A page ends where its read did; a whole list goes on there.
        if (left <= 0 || (!isCut && limit !== undefined))
          return { json, next: undefined, nextCursor: cursor.encode(after, toSkip) }
        const fitting =
          json === "" ? FIRST_ROWS : Math.floor((LIST_CHUNK_BYTES * rows.length) / Buffer.byteLength(json))
        const size = Math.min(left, CHUNK_ROWS_MAX, Math.max(CHUNK_ROWS_MIN, fitting))
        return { json, next: { range: { limit: size, offset: toSkip, after }, wanted: left }, nextCursor: null }
      }),
    )
  const head = `{"success":true,"${key}":[`
  const endOf = ({ nextCursor }: Chunk<P>) =>
    limit === undefined ? "]}" : `],"pagination":${JSON.stringify({ limit, nextCursor })}}`

  // The first chunk is read before the response starts, so that an error still gets its status.
  const first = yield* chunkOf({ range: { ...start, limit: Math.min(FIRST_ROWS, wanted) }, wanted })
  if (first.next === undefined) {
    const text = head + first.json + endOf(first)
    const { headers } = yield* HttpServerRequest.HttpServerRequest
    return isOpen
      ? taggedText(headers["if-none-match"], tagged(text))
      : HttpServerResponse.text(text, { contentType: "application/json" })
  }
  yield* lists.hold
  let isEmpty = first.json === ""
  const rest = Stream.paginate(first.next, (part) =>
    Effect.map(chunkOf(part), (chunk) => {
      const separator = isEmpty || chunk.json === "" ? "" : ","
      isEmpty &&= chunk.json === ""
      const text = `${separator}${chunk.json}${chunk.next === undefined ? endOf(chunk) : ""}`
      return [text === "" ? [] : [Buffer.from(text) as Uint8Array], Option.fromUndefinedOr(chunk.next)] as const
    }),
  )
  // Sent when the handler has ended: for the same caller, and from the same server, as its first rows.
  const ofCaller = rest.pipe(
    Stream.provideService(CurrentCaller, yield* CurrentCaller),
    Stream.provideService(ReadSource, yield* ReadSource),
  )
  const chunks = Stream.concat(Stream.make(Buffer.from(head + first.json) as Uint8Array), ofCaller)
  // Its ETag would be known only after its last chunk.
  return HttpServerResponse.stream(chunks, {
    contentType: "application/json",
    headers: { "cache-control": isOpen ? REVALIDATED : NOT_STORED },
  })
})
