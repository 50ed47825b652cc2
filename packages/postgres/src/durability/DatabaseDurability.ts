import { Context, Effect, type Scope } from "effect"
import { metricSeries } from "../MetricSeries.ts"
import { DURABILITY_LEVELS, type Durability, type DurabilityLevel } from "./Durability.ts"

/** What the heartbeat of a process has learnt of the primary. */
export class PrimaryState {
  /** Undefined until it has answered. */
  durability: Durability | undefined
  /** Commits wait for synchronous standbys that are not there: writes are refused. */
  isWaiting = false
  /** Undefined without a demand. */
  readonly required: DurabilityLevel | undefined

  constructor(required?: DurabilityLevel) {
    this.required = required
  }

  /** Whether the primary is known to give less than is demanded. */
  get isShort(): boolean {
    return this.durability !== undefined && rankOf(this.durability.level) < rankOf(this.required)
  }
}

const rankOf = (level: DurabilityLevel | undefined): number =>
  level === undefined ? 0 : DURABILITY_LEVELS.indexOf(level)

/** The state of the primary that `Database.layer` keeps. */
export const DatabaseDurability = Context.Reference<PrimaryState>(
  "@launch-registry/postgres/durability/DatabaseDurability",
  { defaultValue: () => new PrimaryState() },
)

/** Registers what is known as metrics that are read on scrape. */
export const registerDurabilityMetrics = (state: PrimaryState): Effect.Effect<void, never, Scope.Scope> =>
  Effect.map(metricSeries, ({ gauge }) => {
    gauge(
      "database_durability_level",
      "What an acknowledged write survives: 0 nothing, 1 a crash of the primary, 2 its loss",
      {},
      () => rankOf(state.durability?.level),
    )
    gauge(
      "database_durability_required",
      "What DATABASE_DURABILITY demands: 0 nothing, 1 a crash of the primary, 2 its loss",
      {},
      () => rankOf(state.required),
    )
    gauge(
      "database_commits_waiting",
      "Whether commits wait for a synchronous standby that does not answer: 1 or 0",
      {},
      () => (state.isWaiting ? 1 : 0),
    )
  })
