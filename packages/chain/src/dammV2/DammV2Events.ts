import type { AccountReader } from "../accounts/AccountReader.ts"
import { DAMM_V2_PROGRAM } from "../accounts/Programs.ts"
import { startsLike } from "../transactions/Base58Prefix.ts"
import type { PositionFeeClaimed, Swapped } from "../transactions/DbcEvent.ts"
import { eventsOfLayouts, isEvent } from "../transactions/EncodedEvents.ts"
import { migrationConfigOf } from "../transactions/MigratedPools.ts"
import { accountOf } from "../transactions/ProgramCall.ts"
import {
  isLiquidityEvent,
  LIQUIDITY_CALLS,
  LIQUIDITY_EVENTS,
  type LiquidityEvent,
  liquidityChanged,
} from "./LiquidityEvents.ts"
import {
  bytesOfCall,
  headOf,
  NO_BALANCES,
  NOTHING,
  type ProgramDecoder,
  whole,
} from "../transactions/ProgramDecoder.ts"

type DammV2Event = "EvtSwap2" | "EvtSwap" | "EvtClaimPositionFee" | LiquidityEvent

/**
 * Swaps of DAMM v2 (cp-amm, `event.rs`), EvtSwap until program 0.1.4, both in 0.1.5, EvtSwap2 alone since 0.1.6, claims of the fees of
 * positions, and what happens to liquidity. Names and discriminators of swaps are those of DBC's, layouts are not.
 */
const EVENTS = eventsOfLayouts<DammV2Event>([
  { name: "EvtSwap2", discriminator: "bd4233a826507599", bytes: 196 },
  { name: "EvtSwap", discriminator: "1b3c15d58aaabb93", bytes: 138 },
  { name: "EvtClaimPositionFee", discriminator: "c6b6b734610c3138", bytes: 128 },
  ...LIQUIDITY_EVENTS,
])

/** `swap`, `swap2`, `claim_position_fee`, and what changes liquidity. */
const EMITTING = ["f8c69e91e17587c8", "414b3f4ceb5b5b88", "b4269a118521a2d3", ...LIQUIDITY_CALLS]
const mayEmit = startsLike(EMITTING)

/** Accounts of a call, the same in every version: the pool, mints of tokens A and B, and who signs. */
const SWAP_ACCOUNTS = { pool: 1, mintA: 6, mintB: 7, wallet: 8 }
const CLAIM_ACCOUNTS = { pool: 1, mintA: 7, mintB: 8, wallet: 10 }

/**
 * Of a pool that the DBC program created; `undefined` for any other pool. Pool, mints and who signs are accounts of the call. Of a
 * migrated pool token A is the base token.
 */
const factOfEvent: ProgramDecoder["factOfEvent"] = (seeming, data, call, { keys }) => {
  if (isLiquidityEvent(seeming)) {
    const event = EVENTS.read(data)
    return event && liquidityChanged(seeming, event.reader, call, keys)
  }
  const accounts = seeming === "EvtClaimPositionFee" ? CLAIM_ACCOUNTS : SWAP_ACCOUNTS
  const pool = accountOf(call, accounts.pool, keys)
  const baseMint = accountOf(call, accounts.mintA, keys)
  const quoteMint = accountOf(call, accounts.mintB, keys)
  const config = migrationConfigOf(pool, baseMint, quoteMint)
  if (config === undefined) return undefined
  const event = EVENTS.read(data)
  if (event === undefined) return undefined
  const { name, reader } = event
  const wallet = accountOf(call, accounts.wallet, keys)
  if (name === "EvtClaimPositionFee") return claim(reader, { pool, claimer: wallet, baseMint, quoteMint })
  const amounts = name === "EvtSwap2" ? swap2(reader) : swap(reader)
  return { type: "Swapped", venue: "damm_v2", pool, config, baseMint, quoteMint, trader: wallet, ...amounts }
}

const claim = (
  event: AccountReader,
  of: Pick<PositionFeeClaimed, "pool" | "claimer" | "baseMint" | "quoteMint">,
): PositionFeeClaimed => ({
  type: "PositionFeeClaimed",
  ...of,
  position: event.address(48),
  baseAmount: event.u64(112),
  quoteAmount: event.u64(120),
})

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

export const dammV2Decoder: ProgramDecoder = {
  program: DAMM_V2_PROGRAM,
  eventName: EVENTS.nameOf,
  factOfEvent,
  factOfCall: NOTHING,
  emitted: ({ data, programIdIndex }, below) =>
    whole(
      !mayEmit(data) ||
        !EMITTING.includes(headOf(bytesOfCall(data))) ||
        below().some((one) => one.programIdIndex === programIdIndex && isEvent(one.data)),
    ),
  balances: NO_BALANCES,
}
