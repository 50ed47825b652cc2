import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { AccountTable } from "./AccountTable.ts"
import type { DbcFact } from "./DbcEvent.ts"
import { isEvent } from "./EncodedEvents.ts"
import type { ProgramCall } from "./ProgramCall.ts"
import type { DecodableTransaction, RawInstruction } from "./RawTransaction.ts"

/** What a call stands in: `calls` are all those below its instruction. */
export interface CallContext {
  readonly raw: DecodableTransaction
  readonly keys: AccountTable
  readonly calls: ReadonlyArray<RawInstruction>
}

/** Whether what a call must have called is there. `doubtful`: as old programs called it, until DBC 0.1.5. */
export type Emitted = "all" | "doubtful" | "cut"

/** How the calls of a program are decoded. */
export interface ProgramDecoder {
  readonly program: string
  /** Which event the base58 data of a call of itself seems to hold. */
  readonly eventName: (data: string) => string | undefined
  /** What an event that seems to be of this name says, of a call. */
  readonly factOfEvent: (name: string, data: string, parent: ProgramCall, context: CallContext) => DbcFact | undefined
  /** What a call says that is no event. */
  readonly factOfCall: (call: ProgramCall, context: CallContext) => DbcFact | undefined
  /** Tells by events and by what was moved whether the calls below this one are there; `below` has those that are. */
  readonly emitted: (call: RawInstruction, below: () => ReadonlyArray<RawInstruction>, keys: AccountTable) => Emitted
  /** Accounts whose balances the call is decoded by, by their index in the transaction. */
  readonly balances: (call: RawInstruction) => ReadonlyArray<number>
}

export const NOTHING = (): undefined => undefined
export const NO_BALANCES = (): ReadonlyArray<number> => []

export const whole = (is: boolean): Emitted => (is ? "all" : "cut")

/** Longest base58 of a call: programs pass each other 10 KiB at most, and a transaction has less. */
const CALL_LENGTH_MAX = Math.ceil((10_240 * 8) / Math.log2(58))

/** Decoding takes time by the square of the length: what was forged must not hold up everything behind it. */
export const bytesOfCall = (data: string): Uint8Array | undefined =>
  data.length > CALL_LENGTH_MAX ? undefined : decodeBase58(data)

/** Discriminator of an Anchor program (hex). */
export const headOf = (bytes: Uint8Array | undefined): string =>
  Buffer.from(bytes?.subarray(0, 8) ?? []).toString("hex")

/** The inner instructions of an instruction of the transaction. */
export const innerCalls = ({ meta }: DecodableTransaction, instruction: number): ReadonlyArray<RawInstruction> =>
  meta.innerInstructions?.find(({ index }) => index === instruction)?.instructions ?? []

const heightOf = ({ stackHeight }: RawInstruction): number | undefined =>
  Number.isInteger(stackHeight) ? stackHeight! : undefined

/** What the call at this position called, at any depth; -1 stands for the instruction of the transaction. */
export const calledBelow = (
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
