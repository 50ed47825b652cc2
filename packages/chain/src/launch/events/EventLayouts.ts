import { decodeBase58 } from "@launch-registry/solana/Base58"
import { AccountReader } from "../AccountReader.ts"
import { textsOf } from "./Base58Prefix.ts"

/** What the program's call to itself starts with (`emit_cpi`). */
const EVENT_TAG = "e445a52e51cb9a1d"

/** Offset at which the fields of an event start: tag and discriminator before it. */
export const EVENT_FIELDS_OFFSET = 16

export type EventName = (typeof LAYOUTS)[number]["name"]

/** Events of constant size (DBC IDL 0.2.1): discriminators, the second of transfer-hook pools, and bytes with tag. */
const LAYOUTS = [
  { name: "EvtSwap2", discriminator: "bd4233a826507599", bytes: 195 },
  { name: "EvtSwap2", discriminator: "863ba8785e3372e7", bytes: 195 },
  { name: "EvtSwap", discriminator: "1b3c15d58aaabb93", bytes: 170 },
  { name: "EvtInitializePool", discriminator: "e432f655cb428625", bytes: 153 },
  { name: "EvtInitializePool", discriminator: "d589a435c14a0f6e", bytes: 153 },
  { name: "EvtCurveComplete", discriminator: "e5e756549c864b18", bytes: 96 },
  { name: "EvtCurveComplete", discriminator: "3b2f6dcd0d1f2c9f", bytes: 96 },
  { name: "EvtUpdatePoolCreator", discriminator: "6be1a5ed5b9ed5dc", bytes: 112 },
  { name: "EvtVirtualPoolMetadata", discriminator: "bc12484cc35b264a", bytes: 80 },
  { name: "EvtPartnerMetadata", discriminator: "c87f06370d200896", bytes: 80 },
  { name: "EvtClaimTradingFee", discriminator: "1a5375f05cca70fe", bytes: 64 },
  { name: "EvtClaimCreatorTradingFee", discriminator: "9ae4d7ca859bd68a", bytes: 64 },
  { name: "EvtPartnerWithdrawSurplus", discriminator: "c3389809e8482316", bytes: 56 },
  { name: "EvtCreatorWithdrawSurplus", discriminator: "9849150f4257359d", bytes: 56 },
  { name: "EvtWithdrawLeftover", discriminator: "bfbd688f6f9c5ee5", bytes: 88 },
  { name: "EvtWithdrawMigrationFee", discriminator: "1acb5455a11764d6", bytes: 57 },
  { name: "EvtClaimPoolCreationFee", discriminator: "956f952c8840af3e", bytes: 88 },
  { name: "EvtPartnerClaimPoolCreationFee", discriminator: "aedf2c96916259c3", bytes: 120 },
  { name: "EvtClaimProtocolFee2", discriminator: "bb854209cda1540d", bytes: 120 },
] as const

interface Matcher {
  readonly name: EventName
  readonly bytes: number
  readonly discriminator: string
  readonly prefix: string
}

/** By length of the base58 text. */
const MATCHERS = new Map<number, Array<Matcher>>()
for (const { bytes, discriminator, name } of LAYOUTS) {
  const head = EVENT_TAG + discriminator
  const { lengths, prefix } = textsOf(head, bytes)
  const matcher = { name, bytes, discriminator: head, prefix }
  for (const length of lengths) {
    MATCHERS.set(length, [...(MATCHERS.get(length) ?? []), matcher])
  }
}

/** An event of constant size, its fields still bytes. */
export interface EncodedEvent {
  readonly name: EventName
  readonly reader: AccountReader
}

const matcherOf = (data: string): Matcher | undefined =>
  MATCHERS.get(data.length)?.find(({ prefix }) => data.startsWith(prefix))

/**
 * Which event base58 `data` seems to hold, by length and first characters: decoding base58 dominates the cost, and most
 * instructions are no events.
 */
export const eventName = (data: string): EventName | undefined => matcherOf(data)?.name

/** The event that base58 `data` holds, or `undefined` when it holds none of these. */
export const encodedEvent = (data: string): EncodedEvent | undefined => {
  const matcher = matcherOf(data)
  if (matcher === undefined) return undefined
  const bytes = decodeBase58(data)
  if (bytes?.length !== matcher.bytes) return undefined
  const isEvent = Buffer.from(bytes.subarray(0, EVENT_FIELDS_OFFSET)).toString("hex") === matcher.discriminator
  return isEvent ? { name: matcher.name, reader: new AccountReader(bytes) } : undefined
}
