import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { Effect } from "effect"
import { AccountReader } from "./AccountReader.ts"
import type { RawAccount } from "./AccountReads.ts"

const CLOCK_BYTES = 40
const UNIX_TIME_OFFSET = 32

/** When something was read. */
export interface Clock {
  readonly slot: bigint
  /** Unix time in seconds, as the chain has it. */
  readonly seconds: bigint
}

/** The time of the Clock sysvar, which is on every chain. */
export const clockOf = (slot: bigint, sysvar: RawAccount | undefined): Effect.Effect<Clock, Unavailable> =>
  sysvar?.data.length === CLOCK_BYTES
    ? Effect.succeed({ slot, seconds: new AccountReader(sysvar.data).u64(UNIX_TIME_OFFSET) })
    : Effect.fail(new Unavailable({ service: "chain" }))

/** Slot or seconds, as a pool counts. */
export const pointOf = ({ seconds, slot }: Clock, activationType: number): bigint =>
  activationType === 0 ? slot : seconds
