import { BridgeOutcome } from "@launch-registry/domain/notifications/BridgeOutcomes"
import { picking } from "@launch-registry/postgres/SchemaRow"
import type { SwapRow } from "./SwapRow.ts"

type Ending = Pick<SwapRow, "status" | "substatus">

/** Whether a paid swap has just ended. Anyone can make quotes, so nobody is told of those that expire. */
export const isNewOutcome = (before: Ending, { status, substatus }: Ending): boolean =>
  status !== "pending" && substatus !== "expired" && (status !== before.status || substatus !== before.substatus)

const { type: _, ...fields } = BridgeOutcome.fields
const pick = picking<Omit<BridgeOutcome, "type">>(fields)

/** What endpoints are told of a swap that ended. */
export const outcomeOf = (row: Omit<SwapRow, "version" | "nextPollAt">): BridgeOutcome => ({
  type: "bridge",
  ...pick(row),
})
