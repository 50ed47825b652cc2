import { faultOfDatabaseUrl } from "@launch-registry/postgres/DatabaseUrl"
import { Effect, Redacted } from "effect"
import type { Fault } from "./WholeSetting.ts"

/** Each process has up to ten connections to each. */
const REPLICAS_MAX = 16

/** Connection strings of the replicas that answer reads; faults are reported as name and expectation, without any part of a URL. */
export const readReplicaSettings = Effect.fnUntraced(function* (
  values: Readonly<Record<string, string | undefined>>,
  fault: Fault,
): Effect.fn.Return<ReadonlyArray<Redacted.Redacted>> {
  // A connection string may contain commas, and no space.
  const texts = values.DATABASE_READ_URL?.split(/\s+/).filter((text) => text !== "") ?? []
  for (const text of texts) {
    const isPostgres = /^postgres(ql)?:\/\//.test(text) && URL.canParse(text)
    const wrong = isPostgres ? yield* faultOfDatabaseUrl(Redacted.make(text)) : "another kind of URL"
    if (wrong !== undefined)
      fault("DATABASE_READ_URL", `connection strings of PostgreSQL, separated by spaces or lines (${wrong})`)
  }
  if (texts.length > REPLICAS_MAX) fault("DATABASE_READ_URL", `at most ${REPLICAS_MAX} connection strings`)
  if (texts.length > 0 && values.DATABASE_URL === undefined)
    fault("DATABASE_READ_URL", "no value without DATABASE_URL: the embedded database has no replicas")
  return texts.map((text) => Redacted.make(text))
})
