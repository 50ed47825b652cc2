import type { AccountReader } from "../AccountReader.ts"
import type { AccountTable } from "./AccountTable.ts"
import type { Swapped } from "./DbcEvent.ts"
import { eventsOfLayouts } from "./EncodedEvents.ts"
import { migrationConfigOf } from "./MigratedPools.ts"
import { accountOf, type ProgramCall } from "./ProgramCall.ts"

type DammV2Event = "EvtSwap2" | "EvtSwap"

/**
 * Swaps of DAMM v2 (cp-amm, `event.rs`): EvtSwap until program 0.1.4, both in 0.1.5, EvtSwap2 alone since 0.1.6. Names and
 * discriminators are those of DBC's, layouts are not.
 */
const EVENTS = eventsOfLayouts<DammV2Event>([
  { name: "EvtSwap2", discriminator: "bd4233a826507599", bytes: 196 },
  { name: "EvtSwap", discriminator: "1b3c15d58aaabb93", bytes: 138 },
])

/** Which swap event base58 `data` seems to hold. */
export const dammV2EventName = EVENTS.nameOf

/**
 * The swap that an event of a call says, on a pool that the DBC program created; `undefined` for any other pool. Pool, mints and
 * trader are accounts of the call, the same in every version: 1 pool, 6 and 7 mints of tokens A and B, 8 payer. Of a migrated pool token
 * A is the base token.
 */
export const dammV2Swap = (data: string, call: ProgramCall, keys: AccountTable): Swapped | undefined => {
  const pool = accountOf(call, 1, keys)
  const baseMint = accountOf(call, 6, keys)
  const quoteMint = accountOf(call, 7, keys)
  const config = migrationConfigOf(pool, baseMint, quoteMint)
  if (config === undefined) return undefined
  const event = EVENTS.read(data)
  if (event === undefined) return undefined
  return {
    type: "Swapped",
    venue: "damm_v2",
    pool,
    config,
    baseMint,
    quoteMint,
    trader: accountOf(call, 8, keys),
    ...(event.name === "EvtSwap2" ? swap2(event.reader) : swap(event.reader)),
  }
}

type Amounts = Pick<Swapped, "side" | "amountIn" | "amountOut" | "fee" | "nextSqrtPrice" | "quoteReserve">

/** Direction 0 is A to B, 1 is B to A. */
const sideOf = (event: AccountReader): Amounts["side"] => (event.u8(48) === 1 ? "BUY" : "SELL")

/** What the trader paid and received, with transfer fees of Token-2022 mints taken into account. */
const swap2 = (event: AccountReader): Amounts => ({
  side: sideOf(event),
  amountIn: event.u64(148),
  amountOut: event.u64(164),
  fee: event.u64(116) + event.u64(124) + event.u64(132) + event.u64(140),
  nextSqrtPrice: event.u128(100),
  quoteReserve: event.u64(188),
})

/** Input and output before transfer fees of the output, which old programs do not say. */
const swap = (event: AccountReader): Amounts => ({
  side: sideOf(event),
  amountIn: event.u64(50),
  amountOut: event.u64(66),
  fee: event.u64(90) + event.u64(98) + event.u64(106) + event.u64(114),
  nextSqrtPrice: event.u128(74),
  quoteReserve: undefined,
})
