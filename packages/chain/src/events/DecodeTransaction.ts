import { AccountTable } from "../transactions/AccountTable.ts"
import type { DbcEvent, DbcFact, EventPosition } from "../transactions/DbcEvent.ts"
import { decodersIn } from "./Decoders.ts"
import type { ProgramCall } from "../transactions/ProgramCall.ts"
import { type CallContext, innerCalls, type ProgramDecoder } from "../transactions/ProgramDecoder.ts"
import type { DecodableTransaction, RawInstruction } from "../transactions/RawTransaction.ts"

/** Older events that programs emitted before the newer one of the same fact for a while, and what they say. */
const OLDER: Readonly<Record<string, DbcFact["type"]>> = {
  EvtSwap: "Swapped",
  EvtAddLiquidity: "LiquidityChanged",
  EvtRemoveLiquidity: "LiquidityChanged",
  EvtSplitPosition2: "LiquidityChanged",
}

/** An event of a program that repeats one behind it. */
interface Repeated {
  readonly index: number
  readonly name: string
  readonly data: string
  readonly decoder: ProgramDecoder
  readonly context: CallContext
}

/**
 * Everything that the DBC program did in a transaction, and swaps on the DAMM v2 and v1 pools that it migrated curves to and claims on
 * those of v2, in order. Pure and total: a failed transaction did nothing, and bytes that are of no known layout yield nothing. Works below
 * any other program: an event belongs to the call of its program that stands one level above it.
 */
export const decodeTransaction = (
  raw: DecodableTransaction,
  transactionIndex = raw.indexWithinBlock ?? 0,
): ReadonlyArray<DbcEvent> => {
  const [signature] = raw.transaction.signatures
  if (raw.meta.err !== null || signature === undefined) return []
  const keys = new AccountTable(raw)
  const decoders = decodersIn(keys)
  if (decoders.size === 0) return []
  const slot = BigInt(raw.slot)
  const events: Array<DbcEvent | undefined> = []
  const at = ({ innerInstruction, instruction }: ProgramCall) => ({
    signature,
    slot,
    transactionIndex,
    instruction,
    innerInstruction,
    blockTimeSeconds: raw.blockTime ?? 0,
  })
  /** The older event of a call, as EvtSwap: it is the same swap as the EvtSwap2 behind it, and read only where there is none. */
  let older: Map<ProgramCall, Repeated> | undefined
  /** Calls of these programs by their height; nothing where another program stands. */
  const above: Array<ProgramCall | undefined> = []
  /** The last call of each program that was no event: the one that an event without a height belongs to. */
  const callers = new Map<ProgramDecoder, ProgramCall>()

  const visit = (called: RawInstruction, instruction: number, innerInstruction: number, context: CallContext): void => {
    const isInner = innerInstruction >= 0
    const height = isInner ? heightOf(called.stackHeight) : 1
    above.length = height
    above[height] = undefined
    const decoder = decoders.get(called.programIdIndex)
    if (decoder === undefined) return
    const own: ProgramCall = { instruction, innerInstruction, raw: called }
    above[height] = own
    const isPlaced = !isInner || Number.isInteger(called.stackHeight)
    const over = isPlaced ? above[height - 1] : callers.get(decoder)
    const parent = over?.raw.programIdIndex === called.programIdIndex ? over : undefined
    const name = parent && decoder.eventName(called.data)
    if (name !== undefined && OLDER[name] !== undefined) {
      older ??= new Map()
      older.set(parent!, { index: events.push(undefined) - 1, name, data: called.data, decoder, context })
      return
    }
    if (name === undefined) callers.set(decoder, own)
    const emitted = name && decoder.factOfEvent(name, called.data, parent!, context)
    const fact = emitted || decoder.factOfCall(own, context)
    if (!fact) return
    const found = placed(fact, at(emitted ? parent! : own))
    const same = older?.get(parent!)
    if (same === undefined || OLDER[same.name] !== fact.type) events.push(found)
    else {
      events[same.index] = found
      older!.delete(parent!)
    }
  }

  for (const [instruction, outer] of raw.transaction.message.instructions.entries()) {
    callers.clear()
    const context = { raw, keys, calls: innerCalls(raw, instruction) }
    visit(outer, instruction, -1, context)
    for (let position = 0; position < context.calls.length; position++)
      visit(context.calls[position]!, instruction, position, context)
  }
  for (const [parent, { context, data, decoder, index, name }] of older ?? []) {
    const fact = decoder.factOfEvent(name, data, parent, context)
    if (fact !== undefined) events[index] = placed(fact, at(parent))
  }
  return events.filter((event) => event !== undefined)
}

/** The fact with its position, in place: a copy would cost as much as decoding it. */
const placed = (fact: DbcFact, at: EventPosition): DbcEvent => Object.assign(fact, { at })

/** Programs call each other at most a few levels deep; whatever else stands there is no height. */
const HEIGHT_MAX = 64
const heightOf = (height: number | null | undefined): number =>
  Number.isInteger(height) ? Math.min(Math.max(height!, 1), HEIGHT_MAX) : 2
