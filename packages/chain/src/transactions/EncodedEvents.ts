import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { AccountReader } from "../accounts/AccountReader.ts"
import { startsLike, textsOf } from "./Base58Prefix.ts"

/** What a program's call to itself starts with (`emit_cpi`), of every Anchor program. */
const EVENT_TAG = "e445a52e51cb9a1d"
/** Whether base58 data may be those of an event. */
export const isEvent = startsLike([EVENT_TAG])

/** Offset at which the fields of an event start: tag and discriminator before it. */
export const EVENT_FIELDS_OFFSET = 16

/** An event of constant size: its discriminator (hex), and its bytes with the tag. */
export interface EventLayout<Name extends string> {
  readonly name: Name
  readonly discriminator: string
  readonly bytes: number
}

/** An event of constant size, its fields still bytes. */
export interface EncodedEvent<Name extends string> {
  readonly name: Name
  readonly reader: AccountReader
}

interface Matcher<Name extends string> extends EventLayout<Name> {
  readonly head: string
  readonly prefix: string
}

/**
 * Finds the events of a program in base58 `data`. Programs give events of one name the same discriminator, so each program has its own.
 */
export const eventsOfLayouts = <Name extends string>(layouts: ReadonlyArray<EventLayout<Name>>) => {
  /** By length of the base58 text. */
  const matchers = new Map<number, Array<Matcher<Name>>>()
  for (const layout of layouts) {
    const head = EVENT_TAG + layout.discriminator
    const { lengths, prefix } = textsOf(head, layout.bytes)
    for (const length of lengths) matchers.set(length, [...(matchers.get(length) ?? []), { ...layout, head, prefix }])
  }

  const matcherOf = (data: string): Matcher<Name> | undefined => {
    const candidates = matchers.get(data.length)
    if (candidates === undefined) return undefined
    for (const candidate of candidates) if (data.startsWith(candidate.prefix)) return candidate
    return undefined
  }

  return {
    /**
     * Which event `data` seems to hold, by length and first characters: decoding base58 dominates the cost, and most instructions are
     * no events.
     */
    nameOf: (data: string): Name | undefined => matcherOf(data)?.name,

    /** The event that `data` holds, or `undefined` when it holds none of these. */
    read: (data: string): EncodedEvent<Name> | undefined => {
      const matcher = matcherOf(data)
      if (matcher === undefined) return undefined
      const bytes = decodeBase58(data)
      if (bytes?.length !== matcher.bytes) return undefined
      const isEvent = Buffer.from(bytes.subarray(0, EVENT_FIELDS_OFFSET)).toString("hex") === matcher.head
      return isEvent ? { name: matcher.name, reader: new AccountReader(bytes) } : undefined
    },
  }
}
