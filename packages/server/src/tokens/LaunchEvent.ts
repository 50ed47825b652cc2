import type { PoolCreated } from "@launch-registry/chain/launch/events/DbcEvent"

const TYPE: PoolCreated["type"] = "PoolCreated"
const CREATOR: keyof PoolCreated = "creator"

/** A condition of `dbc_events e`: it is the launch of a pool. */
export const IS_LAUNCH = `e.type = '${TYPE}'`

/** Who launched it: the pool may have another creator by now. */
export const LAUNCHED_BY = `e.facts ->> '${CREATOR}'`
