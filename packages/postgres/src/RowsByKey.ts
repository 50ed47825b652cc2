import { Context, Effect, Exit, Request, RequestResolver } from "effect"
import type { SqlError } from "effect/sql/SqlError"
import { ReadSource, type Source } from "./replicas/ReadSource.ts"

/** Keys that one statement asks for at most. */
const KEYS_MAX = 100

/** The version of what a key stands for. */
export interface KeyVersion {
  /** As it was asked for. */
  readonly key: string
  readonly version: string
}

interface AskRow<Row> extends Request.Request<Row | undefined, SqlError> {
  readonly _tag: "AskRow"
  readonly key: string
  readonly source: Source | undefined
}

/**
 * Asks for the row of a key, undefined without one. Those that are asked for at the same moment of the same source share a
 * statement that has not begun yet, so that none sees less than was committed when it was asked for. Not for use within a transaction, whose
 * writes the statement would not see.
 */
export const rowsByKey = <Row>(
  keyOf: (row: Row) => string,
  select: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Row>, SqlError>,
) => {
  const AskRow = Request.tagged<AskRow<Row>>("AskRow")
  const asking = RequestResolver.make<AskRow<Row>>((entries) =>
    Effect.map(
      // Where whoever asked first reads, which is where all of them do.
      Effect.provideService(
        select([...new Set(entries.map(({ request }) => request.key))]),
        ReadSource,
        entries[0].request.source,
      ),
      (found) => {
        const rows = new Map(found.map((row) => [keyOf(row), row]))
        for (const entry of entries) entry.completeUnsafe(Exit.succeed(rows.get(entry.request.key)))
      },
    ),
  ).pipe(
    RequestResolver.batchN(KEYS_MAX),
    RequestResolver.grouped(({ request }) => request.source?.replica?.name),
  )
  return (key: string): Effect.Effect<Row | undefined, SqlError> =>
    Effect.withFiber((fiber) => Effect.request(AskRow({ key, source: Context.get(fiber.context, ReadSource) }), asking))
}

/** The same for versions of rows. */
export const rowVersions = (select: Parameters<typeof rowsByKey<KeyVersion>>[1]) => {
  const rowOf = rowsByKey(({ key }: KeyVersion) => key, select)
  return (key: string): Effect.Effect<string | undefined, SqlError> => Effect.map(rowOf(key), (row) => row?.version)
}
