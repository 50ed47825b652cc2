import { regularly } from "@launch-registry/postgres/Regularly"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { requireLaunches } from "../system/CertainLaunches.ts"
import { LAUNCHER_OF_POOL } from "../facts/LaunchEvent.ts"

const SWEEP_MILLIS = 3_600_000
/** Rows of a batch, and those of the same millisecond as its last one. */
const BATCH = 200
/** A built transaction can land for minutes; whoever signs it again, with the key of the configuration or mint, has had time. */
const KEPT_DAYS = 30

/** What the builders stored: the table, the account that a transaction creates and signs for, and when the launch is on chain. */
const KINDS = {
  configs: {
    table: "launch_configs",
    account: "config_address",
    isOnChain: `(exists (select from dbc_configs c where c.config = b.config_address)
      or exists (select from dbc_pools p where p.config = b.config_address))`,
  },
  // Of a mint that is on chain anyone can have more built: only what the chain has of it is kept.
  deployments: {
    table: "launch_deployments",
    account: "base_mint",
    isOnChain: `exists (
      select from dbc_pools p where p.pool = b.pool and p.uri = b.uri and p.name = b.name and p.symbol = b.symbol
        and b.signer in (p.creator, ${LAUNCHER_OF_POOL}))`,
  },
} as const

export type BuiltKind = keyof typeof KINDS
export const BUILT_KINDS = Object.keys(KINDS) as ReadonlyArray<BuiltKind>

const NOTHING = { deleted: 0, isFull: false }

interface Old {
  readonly account: string
  readonly createdAt: Date
}

/**
 * Deletes what was built here long ago and is not on chain: a part of the owners of `launch_configs` and
 * `launch_deployments`, and of `server_progress` by their kind. Each row is looked at once, in the order of creation: what is on chain then
 * stays. What a pending submission creates stays as well.
 */
export const builtLaunchSweep = Effect.gen(function* () {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const requireCertain = yield* requireLaunches

  /** Of these accounts those that a pending submission signs for. */
  const submitted = (accounts: ReadonlyArray<string>) => sql<{ readonly account: string }>`
    select distinct account from unnest(${accounts}::text[]) account
    join (select unnest(signers) as signer from launch_submissions where settled_at is null) pending
      on pending.signer = account`

  /** The next batch of a kind; none follows where it is not full. Another process that is at it goes on alone. */
  return Effect.fnUntraced(function* (kind: BuiltKind) {
    const { account, isOnChain, table } = KINDS[kind]
    const [rows, key] = [sql(table), sql(account)]
    const [position] = yield* sql<{ readonly sweptTo: Date }>`
      select done_at as swept_to from server_progress where name = ${kind} for update skip locked`
    if (position === undefined) return NOTHING
    const { now } = yield* moment
    const old = yield* sql<Old>`
      select ${key} as account, created_at from ${rows}
      where created_at > ${position.sweptTo} and created_at < ${now} - interval '1 day' * ${KEPT_DAYS}::integer
      order by created_at fetch first (${BATCH}::integer) rows with ties`
    if (old.length === 0) return NOTHING
    const accounts = [...new Set(old.map((row) => row.account))]
    const kept = new Set((yield* submitted(accounts)).map((row) => row.account))
    const [first, last] = [old[0]!.createdAt, old.at(-1)!.createdAt]
    const gone = yield* sql`
      delete from ${rows} b
      where b.${key} = any(${accounts.filter((one) => !kept.has(one))}::text[])
        and b.created_at between ${first} and ${last} and not ${sql.literal(isOnChain)} returning 1`
    yield* sql`update server_progress set done_at = ${last} where name = ${kind}`
    yield* requireCertain
    return { deleted: gone.length, isFull: old.length >= BATCH }
  }, sql.withTransaction)
})

/** Deletes all that was built long ago and is not on chain. Any number of processes may at once. */
export const sweepBuiltLaunches = Effect.gen(function* () {
  const sweep = yield* builtLaunchSweep
  const all = Effect.gen(function* () {
    let rows = 0
    for (const kind of BUILT_KINDS)
      for (let isFull = true; isFull;) {
        const swept = yield* sweep(kind)
        rows += swept.deleted
        isFull = swept.isFull
      }
    if (rows > 0) yield* Effect.logInfo(`Deleted ${rows} rows of launches that were built and never landed`)
  })
  return Effect.catchTag(all, "LaunchesUncertain", ({ reason }) =>
    Effect.logWarning(`Nothing of built launches is deleted, because ${reason}`),
  )
})

/** The same regularly, for the lifetime of the process. */
export const SweepBuiltLaunchesLayer = Layer.effectDiscard(
  Effect.flatMap(sweepBuiltLaunches, (sweep) =>
    Effect.forkScoped(regularly("Sweeping built launches", SWEEP_MILLIS, sweep)),
  ),
)
