import { decodeBase58 } from "@launch-registry/solana/Base58"
import { startsLike } from "./Base58Prefix.ts"
import { eventName, type EventName, encodedEvent } from "./EventLayouts.ts"
import type { RawInstruction } from "./RawTransaction.ts"
import { tokenCalls } from "./TokenBatch.ts"

/** Programs by their index among the accounts of a transaction; -1 for one that is not there. */
export interface ProgramIndexes {
  readonly dbc: number
  readonly dammV2: number
  readonly dammV1: number
  readonly vaults: number
  readonly tokens: ReadonlyArray<number>
}

const SWAP = "f8c69e91e17587c8"
const SWAPS = [SWAP, "414b3f4ceb5b5b88", "b75d992818e6c297"]
const INITIALIZE_POOL = ["8c55d7b06636684f", "a976334e916edc9b", "b60de9b12a918702"]
const MIGRATE_V2 = "9ca9e66735e45040"
const MIGRATE_V1 = "1b013016b43f76d9"

/** Every other instruction of DBC that emits an event (IDL 0.2.1): configurations, metadata, claims and withdrawals, a pool's creator. */
const EMITTING = [
  ...["c9cff3724b6f2fbd", "d825013958e21929", "c0a8eabfbce2e3ff", "2d61bb67fe6d7c86", "1407a9213a93a621"],
  ...["08ec5931987db151", "52dcfabd03556b2d", "a8ad4864c962265c", "a50389071c864c50", "14c6caedebf3b742"],
  ...["ed8e2d178106dea2", "faee1a048b0a65f8", "72cd53bcf0991936", "54bf473209a237c1", "eef7d55e6e91588e"],
]
/** `claim_protocol_fee2`: its accounts do not name who signs events. */
const MAY_EMIT = "ebc23645410aec70"
/** `swap`, `swap2` and `claim_position_fee` of DAMM v2. */
const EMITTING_DAMM_V2 = [SWAP, "414b3f4ceb5b5b88", "b4269a118521a2d3"]

const EVENT_TAG = "e445a52e51cb9a1d"
const isEvent = startsLike([EVENT_TAG])
const mayEmit = startsLike([
  ...SWAPS,
  ...INITIALIZE_POOL,
  MIGRATE_V2,
  MIGRATE_V1,
  ...EMITTING,
  MAY_EMIT,
  ...EMITTING_DAMM_V2,
])

/** Instructions of the token programs by first byte: `InitializeMint2` and `MintTo`. */
const INITIALIZE_MINT = 20
const MINT_TO = 7
/** Longer than any of them. */
const MINT_CALL_LENGTH_MAX = 96

/** Whether events that a call must have emitted are there. `doubtful`: as old programs emitted them, until DBC 0.1.5. */
export type Emitted = "all" | "doubtful" | "cut"

const headOf = (data: string): string => Buffer.from(decodeBase58(data)?.subarray(0, 8) ?? []).toString("hex")

const heightOf = ({ stackHeight }: RawInstruction): number | undefined =>
  Number.isInteger(stackHeight) ? stackHeight! : undefined

/** What the call at this position called, at any depth; -1 stands for the instruction of the transaction. */
const calledBelow = (
  call: RawInstruction,
  position: number,
  calls: ReadonlyArray<RawInstruction>,
): ReadonlyArray<RawInstruction> => {
  const height = position < 0 ? 1 : heightOf(call)
  for (let end = position + 1; end < calls.length; end++) {
    const next = calls[end]!
    const reached = heightOf(next)
    const isOver =
      height === undefined || reached === undefined
        ? next.programIdIndex === call.programIdIndex && !isEvent(next.data)
        : reached <= height
    if (isOver) return calls.slice(position + 1, end)
  }
  return calls.slice(position + 1)
}

/** Tells by their events whether what a call of DBC or DAMM called is there: each that succeeds calls itself to emit one. */
export const emittedBy = (
  call: RawInstruction,
  position: number,
  calls: ReadonlyArray<RawInstruction>,
  programs: ProgramIndexes,
): Emitted => {
  const { data, programIdIndex } = call
  const isDammV2 = programIdIndex === programs.dammV2
  if ((programIdIndex !== programs.dbc && !isDammV2) || !mayEmit(data)) return "all"
  const head = headOf(data)
  const below = calledBelow(call, position, calls)
  const events = below.filter((one) => one.programIdIndex === programIdIndex && isEvent(one.data))
  const whole = (is: boolean): Emitted => (is ? "all" : "cut")
  if (isDammV2) return whole(!EMITTING_DAMM_V2.includes(head) || events.length > 0)
  if (SWAPS.includes(head)) return swapEvents(head, events)
  const has = (name: EventName) => events.some((event) => eventName(event.data) === name)
  if (INITIALIZE_POOL.includes(head)) return whole(has("EvtInitializePool") && hasMinted(below, programs))
  if (head === MIGRATE_V2)
    return whole(below.some((one) => one.programIdIndex === programs.dammV2 && isEvent(one.data)))
  if (head === MIGRATE_V1) return whole(below.some((one) => one.programIdIndex !== programs.dbc))
  if (head === MAY_EMIT && events.length === 0) return "doubtful"
  return whole(!EMITTING.includes(head) || events.length > 0)
}

/** One that reaches the threshold completes the curve, which is an event of its own. */
const swapEvents = (head: string, events: ReadonlyArray<RawInstruction>): Emitted => {
  const named = events.map(({ data }) => ({ name: eventName(data), data }))
  const newer = named.find(({ name }) => name === "EvtSwap2")
  if (newer === undefined) return head === SWAP && named.some(({ name }) => name === "EvtSwap") ? "doubtful" : "cut"
  const reader = encodedEvent(newer.data)?.reader
  const isComplete = reader !== undefined && reader.u64(171) >= reader.u64(179)
  return !isComplete || named.some(({ name }) => name === "EvtCurveComplete") ? "all" : "doubtful"
}

const hasMinted = (below: ReadonlyArray<RawInstruction>, { tokens }: ProgramIndexes): boolean => {
  const kinds = below
    .filter(({ programIdIndex }) => tokens.includes(programIdIndex))
    .flatMap(tokenCalls)
    .flatMap(({ data }) => (data.length <= MINT_CALL_LENGTH_MAX ? (decodeBase58(data)?.[0] ?? []) : []))
  return kinds.includes(INITIALIZE_MINT) && kinds.includes(MINT_TO)
}
