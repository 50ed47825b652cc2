import type { RetentionOptions } from "@launch-registry/indexer/retention/Retention"
import { type Fault, wholeSettings } from "./WholeSetting.ts"

/** Start, stop, and how long what was received is kept. */
export interface LifecycleSettings {
  /** Otherwise the start waits until another process has migrated. */
  readonly isMigrating: boolean
  /** Requests are still taken for so long after SIGTERM. */
  readonly shutdownDelaySeconds: number
  /** What is absent is kept for ever. */
  readonly retention: RetentionOptions
  readonly uploadsKeptDays: number | undefined
}

export const LIFECYCLE_NAMES: ReadonlyArray<string> = [
  ...["MIGRATE", "SHUTDOWN_DELAY_SECONDS"],
  ...["INBOX_KEEP_DAYS", "DEAD_LETTERS_KEEP_DAYS", "TRADES_KEEP_DAYS"],
  "UPLOADS_KEEP_DAYS",
]

/** Idle connections are closed within this time by themselves, so that none is cut off. */
const PRODUCTION_DELAY_SECONDS = 5
const DELAY_SECONDS_MAX = 300
const DAYS_MAX = 36_500
/** The trading windows reach back a week. */
const TRADES_DAYS_MIN = 8

/** The settings among `values`; faults are reported as name and expectation. */
export const readLifecycleSettings = (
  values: Readonly<Record<string, string | undefined>>,
  isProduction: boolean,
  fault: Fault,
): LifecycleSettings => {
  const whole = wholeSettings(values, fault)
  /** 0 is for ever, like no value. */
  const kept = (name: string): number | undefined => whole(name, "days", 0, DAYS_MAX) || undefined

  const isMigrating = values.MIGRATE !== "false"
  if (isMigrating && (values.MIGRATE ?? "true") !== "true") fault("MIGRATE", "true or false")
  if (!isMigrating && values.DATABASE_URL === undefined)
    fault("MIGRATE", "true with the embedded database: no other process migrates it")
  const tradesDays = kept("TRADES_KEEP_DAYS")
  if (tradesDays !== undefined && tradesDays < TRADES_DAYS_MIN)
    fault("TRADES_KEEP_DAYS", `0, or ${TRADES_DAYS_MIN} or more days: the trades of the last week are counted`)
  return {
    isMigrating,
    shutdownDelaySeconds:
      whole("SHUTDOWN_DELAY_SECONDS", "seconds", 0, DELAY_SECONDS_MAX) ?? (isProduction ? PRODUCTION_DELAY_SECONDS : 0),
    retention: {
      inboxDays: kept("INBOX_KEEP_DAYS"),
      deadLetterDays: kept("DEAD_LETTERS_KEEP_DAYS"),
      tradesDays,
    },
    uploadsKeptDays: kept("UPLOADS_KEEP_DAYS"),
  }
}
