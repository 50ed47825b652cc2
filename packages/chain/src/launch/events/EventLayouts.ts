import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountReader } from "../AccountReader.ts"

/** What the program's call to itself starts with (`emit_cpi`). */
const EVENT_TAG = "e445a52e51cb9a1d"

/** Offset at which the fields of an event start: tag and discriminator before it. */
export const EVENT_FIELDS_OFFSET = 16

export type EventName = "EvtSwap2" | "EvtSwap" | "EvtInitializePool" | "EvtCurveComplete"

/** Events of constant size (DBC IDL 0.2.1): discriminators, the second of transfer-hook pools, and bytes with tag. */
const LAYOUTS: ReadonlyArray<{ readonly name: EventName; readonly discriminator: string; readonly bytes: number }> = [
  { name: "EvtSwap2", discriminator: "bd4233a826507599", bytes: 195 },
  { name: "EvtSwap2", discriminator: "863ba8785e3372e7", bytes: 195 },
  { name: "EvtSwap", discriminator: "1b3c15d58aaabb93", bytes: 170 },
  { name: "EvtInitializePool", discriminator: "e432f655cb428625", bytes: 153 },
  { name: "EvtInitializePool", discriminator: "d589a435c14a0f6e", bytes: 153 },
  { name: "EvtCurveComplete", discriminator: "e5e756549c864b18", bytes: 96 },
  { name: "EvtCurveComplete", discriminator: "3b2f6dcd0d1f2c9f", bytes: 96 },
]

/** Base58 text of the lowest and the highest event of a kind: all others start with what the two have in common. */
const textsOf = (discriminator: string, bytes: number, fill: number): string => {
  const head = Buffer.from(EVENT_TAG + discriminator, "hex")
  return encodeBase58(Uint8Array.from(Buffer.concat([head, Buffer.alloc(bytes - head.length, fill)])))
}

const commonPrefix = (left: string, right: string): string => {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return left.slice(0, length)
}

const MATCHERS = LAYOUTS.map(({ bytes, discriminator, name }) => {
  const [lowest, highest] = [textsOf(discriminator, bytes, 0), textsOf(discriminator, bytes, 255)]
  return {
    name,
    bytes,
    discriminator: EVENT_TAG + discriminator,
    length: lowest.length,
    prefix: commonPrefix(lowest, highest),
  }
})

/** An event of constant size, its fields still bytes. */
export interface EncodedEvent {
  readonly name: EventName
  readonly reader: AccountReader
}

/**
 * The event that base58 `data` holds, or `undefined` when it holds none of these. Told by length and first characters:
 * decoding base58 costs more than everything else, and most instructions are no events of ours.
 */
export const encodedEvent = (data: string): EncodedEvent | undefined => {
  const matcher = MATCHERS.find(({ length, prefix }) => data.length === length && data.startsWith(prefix))
  if (matcher === undefined) return undefined
  const bytes = decodeBase58(data)
  if (bytes?.length !== matcher.bytes) return undefined
  const isEvent = Buffer.from(bytes.subarray(0, EVENT_FIELDS_OFFSET)).toString("hex") === matcher.discriminator
  return isEvent ? { name: matcher.name, reader: new AccountReader(bytes) } : undefined
}
