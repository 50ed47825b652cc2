import type { LaunchSort } from "@launch-registry/domain/launch/Launch"
import type { CurveStage } from "@launch-registry/domain/launch/Market"
import { addressPart, cursorOf, numberPart } from "@launch-registry/http/answers/Cursor"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Launches that a page reads at most: those that a filter leaves out are read as well. */
const READ_MAX = 1_000

export interface LaunchScope {
  readonly sort: LaunchSort
  readonly stage: CurveStage | undefined
  readonly registered: "true" | "false" | "any"
  readonly config: string | undefined
  readonly creator: string | undefined
  readonly quoteMint: string | undefined
  readonly mints: ReadonlyArray<string> | undefined
}

/** Position of a launch: seconds since 1970, or millionths of progress; then by pool. */
export interface LaunchPosition {
  readonly key: number
  readonly pool: string
}

const KEY_MAX = 253_402_300_799

const positions = cursorOf<LaunchPosition>({ key: numberPart(KEY_MAX), pool: addressPart })

/** Cursors of the launches of a scope. */
export const launchesOf = (scope: LaunchScope) => positions("launches", scope)

/** A launch in a list, without what its creator chose freely. */
export interface ListedLaunch {
  readonly pool: string
  readonly key: bigint
  /** Whether it passes the filters; the last that was read is there in any case. */
  readonly isFound: boolean
}

const KEYS: Readonly<Record<LaunchSort, string>> = {
  newest: "launched_at",
  progress: "progress",
  graduated: "graduated_at",
}

const STAGES: ReadonlyArray<CurveStage> = ["curve", "completed", "migrated"]

/** What launches are sorted by, as positions have it. */
const keyOf = (sql: SqlClient, sort: LaunchSort) =>
  sort === "progress" ? sql`progress::bigint` : sql`extract(epoch from ${sql.literal(KEYS[sort])})::bigint`

const isAfter = (sql: SqlClient, sort: LaunchSort, after: LaunchPosition) => {
  const key = sort === "progress" ? sql`${after.key}::bigint` : sql`to_timestamp(${after.key}::bigint)`
  return sql`(${sql.literal(KEYS[sort])}, pool) < (${key}, ${after.pool})`
}

const launchesOfMints = (
  sql: SqlClient,
  { config, creator, quoteMint, registered, sort, stage }: LaunchScope,
  mints: ReadonlyArray<string>,
  { after, limit }: Pick<RowRange<LaunchPosition>, "after" | "limit">,
) => {
  const conditions = [
    ...(registered === "any" ? [] : [sql`is_registered = ${registered === "true"}`]),
    ...(stage === undefined ? [] : [sql`stage = ${stage}`]),
    ...(config === undefined ? [] : [sql`config = ${config}`]),
    ...(creator === undefined ? [] : [sql`creator = ${creator}`]),
    ...(quoteMint === undefined ? [] : [sql`quote_mint = ${quoteMint}`]),
    ...(after === undefined ? [] : [isAfter(sql, sort, after)]),
  ]
  // Materialized, or the planner could walk an order in the hope to find these.
  return sql<ListedLaunch>`
    with asked as materialized (
      select *, ${keyOf(sql, sort)} as key from launch_listings where base_mint = ${anyKey(sql, mints, "text")}
    )
    select pool, key, true as is_found from asked
    ${conditions.length === 0 ? sql`` : sql`where ${sql.and(conditions)}`}
    order by key desc, pool desc limit ${limit}`
}

/**
 * Launches of a scope in the order of an index: range by range of what is registered (and of the stage), because those are its first
 * columns. What it does not have is filtered out of the first {@link READ_MAX}. Those of mints are read by their mints, all of them.
 */
export const launchRows = (
  sql: SqlClient,
  scope: LaunchScope,
  { after, limit }: Pick<RowRange<LaunchPosition>, "after" | "limit">,
  readMax = READ_MAX,
) => {
  if (scope.mints !== undefined) return launchesOfMints(sql, scope, scope.mints, { after, limit })
  const { config, creator, quoteMint, registered, sort, stage } = scope
  const column = sql.literal(KEYS[sort])
  const flags = registered === "any" ? [true, false] : [registered === "true"]
  const isNewest = sort === "newest"
  const owned = isNewest ? (config ?? creator) : undefined
  const [indexed, filters]: [Array<Fragment>, Array<Fragment>] = [[], []]
  const put = (isIndexed: boolean, condition: Fragment) => (isIndexed ? indexed : filters).push(condition)
  if (config !== undefined) put(isNewest, sql`config = ${config}`)
  if (creator !== undefined) put(isNewest && config === undefined, sql`creator = ${creator}`)
  if (quoteMint !== undefined) put(false, sql`quote_mint = ${quoteMint}`)
  if (owned !== undefined && stage !== undefined) put(false, sql`stage = ${stage}`)
  if (sort === "progress") put(true, sql`stage = 'curve'`)
  if (sort === "graduated") put(true, sql`stage = 'migrated'`)
  const ranges =
    isNewest && owned === undefined
      ? sql`unnest(${flags}::boolean[]) f (flag) cross join unnest(${stage === undefined ? STAGES : [stage]}::text[]) s (stage)`
      : sql`unnest(${flags}::boolean[]) f (flag)`
  if (isNewest && owned === undefined) put(true, sql`stage = s.stage`)
  if (after !== undefined) put(true, isAfter(sql, sort, after))
  const read = filters.length === 0 ? limit : Math.max(limit, readMax)
  return sql<ListedLaunch>`
    with found as (
      select pool, key, ${filters.length === 0 ? sql`true` : sql.and(filters)} as is_found, row_number() over (order by key desc, pool desc) as place
      from (
        select l.* from ${ranges}
        cross join lateral (
          select *, ${keyOf(sql, sort)} as key
          from launch_listings where is_registered = f.flag and ${sql.and(indexed)}
          order by ${column} desc, pool desc limit ${read}
        ) l
        order by key desc, pool desc limit ${read}
      ) l
    )
    (select pool, key, is_found from found where is_found order by place limit ${limit})
    union all
    (select pool, key, false from found where place = ${read})
    order by key desc, pool desc, is_found desc`
}
