import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Array as Arr, Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { WHOLE_SUPPLY } from "../facts/ChainFacts.ts"
import { IS_LAUNCH, LAUNCHED_BY } from "../facts/LaunchEvent.ts"

/** Records per statement. */
const PAGE = 500

interface LaunchRow {
  readonly signature: string
  readonly creator: string
  readonly pool: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly totalSupply: string
  readonly createdAt: Date
}

/**
 * DEPLOY records: one per launch on chain, for the creator. `amountIn` is 0, `amountOut` the supply. Written only by
 * the service, and deleted when the launch is rolled back.
 */
export const deployRecords = (sql: SqlClient) => {
  const ids = new UuidV7()

  /** Launches without a record, in the order of their pools. */
  const launches = (mints: ReadonlyArray<string> | undefined, after: string) => sql<LaunchRow>`
    select e.signature, ${sql.literal(LAUNCHED_BY)} as creator, p.pool, p.base_mint, p.quote_mint, p.created_at,
      coalesce(${sql.literal(WHOLE_SUPPLY)}, 0) as total_supply
    from dbc_pools p
    cross join lateral (
      select e.signature, e.facts from dbc_events e
      where e.pool = p.pool and ${sql.literal(IS_LAUNCH)} order by e.ordinal, e.signature limit 1
    ) e
    where p.pool > ${after}
      and not exists (select from transactions t where t.action = 'DEPLOY' and t.pool_address = p.pool)
      ${mints === undefined ? sql`` : sql`and p.base_mint = any(${mints}::text[])`}
    order by p.pool limit ${PAGE}`

  const recordOf = (launch: LaunchRow, now: number): Record<string, unknown> => ({
    ...{ id: ids.next(now), userAddress: launch.creator, txHash: launch.signature, action: "DEPLOY" },
    ...{ baseToken: launch.baseMint, quoteToken: launch.quoteMint, amountIn: "0", amountOut: launch.totalSupply },
    ...{ pricePerToken: "0", slippageBps: 0, fee: "0", feeToken: launch.quoteMint, status: "success" },
    ...{ chain: "solana", poolAddress: launch.pool, createdAt: launch.createdAt, updatedAt: launch.createdAt },
  })

  const add = Effect.fnUntraced(function* (mints: ReadonlyArray<string> | undefined) {
    for (let after = ""; ;) {
      const found = yield* launches(mints, after)
      if (!Arr.isReadonlyArrayNonEmpty(found)) return
      const now = yield* Clock.currentTimeMillis
      yield* sql`
        insert into transactions ${sql.insert(Arr.map(found, (launch) => recordOf(launch, now)))}
        on conflict (pool_address) where action = 'DEPLOY' do nothing`
      if (found.length < PAGE) return
      after = Arr.lastNonEmpty(found).pool
    }
  })

  /** Deletes records of transactions that did not launch their pool, as indexed now. */
  const remove = (signatures: ReadonlyArray<string> | undefined) => sql`
    delete from transactions t
    where t.action = 'DEPLOY' ${signatures === undefined ? sql`` : sql`and t.tx_hash = any(${signatures}::text[])`}
      and not exists (
        select from dbc_events e
        where e.pool = t.pool_address and ${sql.literal(IS_LAUNCH)} and e.signature = t.tx_hash)`

  const follow = Effect.fnUntraced(function* (changes: ReadonlyArray<ChainChange>) {
    const reverts = changes
      .filter((change) => change.type === "revert")
      .filter(({ mintAddresses }) => mintAddresses.length > 0)
    if (reverts.length > 0) yield* remove(reverts.map(({ signature }) => signature))
    const launched = changes.flatMap((change) => (change.type === "token" ? [change.mintAddress] : []))
    const reverted = reverts.flatMap(({ mintAddresses }) => mintAddresses)
    if (launched.length + reverted.length > 0) yield* add([...new Set([...launched, ...reverted])])
  })

  /** Rebuilds from the tables, when the individual changes are unknown. */
  const followAll = Effect.andThen(remove(undefined), add(undefined))

  return { follow, followAll }
}
