import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect, Option, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import { decodeCursor, encodeCursor, type Position } from "./Cursor.ts"
import { LIST_CHUNK_BYTES, WholeListsOfServer } from "./WholeLists.ts"

/** Rows read first of a whole list, when nothing is known of their size; shorter lists are answered at once. */
const FIRST_ROWS = 100
/** Rows read at a time, however small they are, and however large. */
const [CHUNK_ROWS_MAX, CHUNK_ROWS_MIN] = [500, 10]

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

type ReadRows<A, E> = (stretch: Stretch) => Effect.Effect<ReadonlyArray<Row<A>>, E>

interface List<A, E> {
  readonly key: "data" | "transactions"
  readonly paging: Paging
  /** Of a list that is ranked, how many ranks there are. */
  readonly ranks?: number
  readonly read: ReadRows<A, E>
}

/** Where a list begins that a query asks for. */
const startOf = Effect.fnUntraced(function* ({ cursor, offset }: Paging, ranks: number | undefined) {
  if (cursor !== undefined && offset !== undefined) {
    return yield* new InvalidRequest({
      issues: [{ path: "query.offset", message: "expected no offset beside a cursor" }],
    })
  }
  return { after: cursor === undefined ? undefined : yield* decodeCursor(cursor, ranks), offset: offset ?? 0 }
})

/** Answers one page of a list under `key`, with `pagination`. */
export const answerPage = Effect.fnUntraced(function* <A, E>({
  defaultLimit,
  key,
  paging,
  ranks,
  read,
}: List<A, E> & { readonly defaultLimit: number }) {
  const start = yield* startOf(paging, ranks)
  const limit = paging.limit ?? defaultLimit
  const rows = yield* read({ limit: limit + 1, ...start })
  const page = rows.slice(0, limit)
  const nextCursor = rows.length > limit ? encodeCursor(page.at(-1)!.position) : null
  return HttpServerResponse.jsonUnsafe({
    success: true,
    [key]: page.map(({ item }) => item),
    pagination: { limit, nextCursor },
  })
})

/**
 * Answers a list under `key`: one page when a limit or a cursor asks for it, otherwise all of it, chunk by chunk, each read when the
 * one before was taken.
 */
export const answerList = Effect.fnUntraced(function* <A, E>(list: List<A, E>) {
  const { key, paging, read } = list
  if (paging.limit !== undefined || paging.cursor !== undefined)
    return yield* answerPage({ ...list, defaultLimit: CURSOR_LIMIT })
  // The first chunk is read before the answer starts, so that a fault still has a status of its own.
  const first = yield* read({ limit: FIRST_ROWS, ...(yield* startOf(paging, list.ranks)) })
  if (first.length < FIRST_ROWS)
    return HttpServerResponse.jsonUnsafe({ success: true, [key]: first.map(({ item }) => item) })
  const lists = yield* WholeListsOfServer
  yield* lists.hold
  return HttpServerResponse.stream(wholeList(key, first, read), { contentType: "application/json" })
})

/** Rows as they are sent, and where the next chunk begins; nothing of the rows is kept. */
const chunkOf = <A>(start: string, rows: ReadonlyArray<Row<A>>, wanted: number) => {
  const bytes = Buffer.from(start + rows.map(({ item }) => JSON.stringify(item)).join(","))
  const limit = Math.floor((LIST_CHUNK_BYTES * rows.length) / bytes.length)
  const next =
    rows.length < wanted
      ? Option.none()
      : Option.some({
          after: rows.at(-1)!.position,
          offset: 0,
          limit: Math.min(CHUNK_ROWS_MAX, Math.max(CHUNK_ROWS_MIN, limit)),
        })
  return { bytes, next }
}

const wholeList = <A, E>(key: string, firstRows: ReadonlyArray<Row<A>>, read: ReadRows<A, E>) => {
  const first = chunkOf(`{"success":true,"${key}":[`, firstRows, FIRST_ROWS)
  const rest = Stream.paginate(first.next, (stretch) =>
    Option.match(stretch, {
      onNone: () => Effect.succeed([[] as ReadonlyArray<Uint8Array>, Option.none()] as const),
      onSome: (stretch) =>
        Effect.map(read(stretch), (rows) => {
          const { bytes, next } = chunkOf(",", rows, stretch.limit)
          return [rows.length === 0 ? [] : [bytes], Option.map(next, Option.some)] as const
        }),
    }),
  )
  return Stream.make(first.bytes as Uint8Array).pipe(Stream.concat(rest), Stream.concat(Stream.make(Buffer.from("]}"))))
}
