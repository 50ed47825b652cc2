import { faultOfDatabaseUrl } from "@launch-registry/postgres/DatabaseUrl"
import { Effect, Redacted } from "effect"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

/** Replicas of the database that answer reads. */
export interface ReplicaSettings {
  readonly urls: ReadonlyArray<Redacted.Redacted>
  /** Older answers are not given. */
  readonly lagMaxMillis: number
}

export const REPLICA_NAMES: ReadonlyArray<string> = ["DATABASE_READ_URL", "DATABASE_READ_LAG_SECONDS"]

/** Each process has up to ten connections to each. */
const REPLICAS_MAX = 16
const LAG_SECONDS = 5
const LAG_SECONDS_MAX = 300

/** The settings among `values`; faults are reported as name and expectation, without any part of a URL. */
export const readReplicaSettings = Effect.fnUntraced(function* (
  values: Readonly<Record<string, string | undefined>>,
  fault: Fault,
): Effect.fn.Return<ReplicaSettings> {
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
  const lagSeconds =
    wholeSettings(values, fault)("DATABASE_READ_LAG_SECONDS", "seconds", 1, LAG_SECONDS_MAX) ?? LAG_SECONDS
  return { urls: texts.map((text) => Redacted.make(text)), lagMaxMillis: lagSeconds * 1_000 }
})
