import type { PoolCreated } from "@launch-registry/chain/transactions/DbcEvent"

const TYPE: PoolCreated["type"] = "PoolCreated"
const CREATOR: keyof PoolCreated = "creator"

/** SQL condition on `dbc_events e`: the launch of a pool. */
export const IS_LAUNCH = `e.type = '${TYPE}'`

/** SQL expression of the wallet that launched it; the pool may have another creator since. */
export const LAUNCHED_BY = `e.facts ->> '${CREATOR}'`

/** SQL expression of the wallet that launched the pool of `dbc_pools p`. */
export const LAUNCHER_OF_POOL = `coalesce((
  select ${LAUNCHED_BY} from dbc_events e where e.pool = p.pool and ${IS_LAUNCH} order by e.ordinal, e.signature limit 1
), p.creator)`
