import { timingSafeEqual } from "node:crypto"
import { onPrimary } from "@launch-registry/postgres/ReadSource"
import { Cache, Effect, Exit } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ApiKeyRow, apiKeyStatements, parseApiKey, secretHash } from "./ApiKeys.ts"

/** How soon a new key works, and a revoked one does not. */
export const FRESH_MILLIS = 5_000

/**
 * Verifies keys against all valid ones, which are read at most once in `freshMillis`: unknown keys, however many
 * are sent, cost neither queries nor memory.
 */
export const knownKeys = Effect.fnUntraced(function* (freshMillis = FRESH_MILLIS) {
  const { noteUse, valid } = apiKeyStatements(yield* SqlClient)
  const read = Effect.map(valid, (rows) => ({
    keys: new Map(rows.map((row) => [row.id, row])),
    used: new Set<string>(),
  }))
  const cache = yield* Cache.makeWith((_all: "all") => Effect.orDie(onPrimary(read)), {
    capacity: 1,
    timeToLive: (exit) => (Exit.isSuccess(exit) ? freshMillis : 0),
  })

  /** The key with this text; undefined if there is none, or it expired or was revoked. */
  return Effect.fn("KnownKeys.verify")(function* (text: string): Effect.fn.Return<ApiKeyRow | undefined> {
    const sent = parseApiKey(text)
    if (sent === undefined) return undefined
    const { keys, used } = yield* Cache.get(cache, "all")
    const key = keys.get(sent.id)
    if (key === undefined || !timingSafeEqual(secretHash(sent.secret), key.secretHash)) return undefined
    if (!used.has(key.id)) {
      used.add(key.id)
      yield* Effect.ignore(onPrimary(noteUse(key.id)))
    }
    return key
  })
})
