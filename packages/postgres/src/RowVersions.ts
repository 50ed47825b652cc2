import { Effect, Exit, Request, RequestResolver } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Versions that one statement asks for at most. */
const KEYS_MAX = 100

/** The version of what a key stands for. */
export interface KeyVersion {
  /** As it was asked for. */
  readonly key: string
  readonly version: string
}

interface AskVersion extends Request.Request<string | undefined, SqlError> {
  readonly _tag: "AskVersion"
  readonly key: string
}
const AskVersion = Request.tagged<AskVersion>("AskVersion")

/**
 * Asks for the version of a key, undefined if it stands for nothing. Those that are asked for at the same moment share a
 * statement that has not begun yet, so that none sees less than was committed when it was asked for.
 */
export const rowVersions = (
  select: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<KeyVersion>, SqlError>,
) => {
  const asking = RequestResolver.make<AskVersion>((entries) =>
    Effect.map(select([...new Set(entries.map(({ request }) => request.key))]), (rows) => {
      const versions = new Map(rows.map(({ key, version }) => [key, version]))
      for (const entry of entries) entry.completeUnsafe(Exit.succeed(versions.get(entry.request.key)))
    }),
  ).pipe(RequestResolver.batchN(KEYS_MAX))
  return (key: string): Effect.Effect<string | undefined, SqlError> => Effect.request(AskVersion({ key }), asking)
}
