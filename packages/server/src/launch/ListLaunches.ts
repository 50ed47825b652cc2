import type { LaunchSort } from "@launch-registry/domain/launch/Launch"
import type { CurveStage } from "@launch-registry/domain/pools/Market"
import { addressPart, cursorOf, numberPart } from "@launch-registry/http/answers/Cursor"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { keysetRows, planned } from "@launch-registry/postgres/KeysetPage"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

export interface LaunchScope {
  readonly sort: LaunchSort
  readonly stage: CurveStage | undefined
  readonly registered: "true" | "false" | "any"
  readonly configs: ReadonlyArray<string> | undefined
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
}

const ORDERS: Readonly<Record<LaunchSort, string>> = {
  newest: "l.launched_at",
  progress: "l.progress",
  graduated: "l.graduated_at",
}

/** Launches of a scope in the order that is asked for. */
export const launchRows = (
  sql: SqlClient,
  { configs, creator, mints, quoteMint, registered, sort, stage }: LaunchScope,
  { after, limit }: Pick<RowRange<LaunchPosition>, "after" | "limit">,
) => {
  const order = ORDERS[sort]
  const conditions: Array<Fragment> = []
  // As the conditions of their indexes.
  if (sort === "progress") conditions.push(sql`l.stage = 'curve'`)
  if (sort === "graduated") conditions.push(sql`l.stage = 'migrated'`)
  if (sort === "newest" && stage !== undefined) conditions.push(sql`l.stage = ${stage}`)
  if (registered !== "any") conditions.push(sql`l.is_registered = ${registered === "true"}`)
  if (creator !== undefined) conditions.push(sql`l.creator = ${creator}`)
  if (quoteMint !== undefined) conditions.push(sql`l.quote_mint = ${quoteMint}`)
  if (mints !== undefined) conditions.push(sql`l.base_mint = ${anyKey(sql, mints, "text")}`)
  const keyOf = (key: number) => (sort === "progress" ? sql`${key}::bigint` : new Date(key * 1_000))
  const key = sort === "progress" ? order : `extract(epoch from ${order})`
  const range = { limit, offset: 0, after: after && ([keyOf(after.key), after.pool] as const) }
  const rows = (conditions: ReadonlyArray<Fragment>) =>
    keysetRows<ListedLaunch>(
      sql,
      { from: "launch_listings l", keys: [order, "l.pool"] },
      `l.pool, ${key}::bigint as key`,
      conditions,
      range,
    )
  if (configs === undefined) return planned(rows(conditions))
  // A page of each, by its index: the planner takes it where it sees the configuration.
  const ofEach = [...new Set(configs)].map((config) => sql`(${rows([sql`l.config = ${config}`, ...conditions])})`)
  return planned(sql<ListedLaunch>`
    select pool, key from (${ofEach.reduce((left, right) => sql`${left} union all ${right}`)}) l
    order by key desc, pool desc limit ${limit}`)
}
