const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const BASE = 58n
const DIGITS_PER_BYTE = 8 / Math.log2(58)

/** Enough: this many digits determine about 88 bits. */
const PREFIX_DIGITS = 15

/** Few instructions have more: a transaction has 1,232 bytes, or 4,096 in version 1, and programs pass each other 10 KiB. */
const LENGTH_MAX = 1_700

interface LeadingDigits {
  /** Of the whole text. */
  readonly length: number
  readonly prefix: string
}

/** How the base58 text of a number above 0, of at most so many bytes, starts. */
const leadingDigits = (number: bigint, bytes: number): LeadingDigits => {
  let length = Math.ceil(bytes * DIGITS_PER_BYTE)
  while (number < BASE ** BigInt(length - 1)) length--
  const digits = Math.min(length, PREFIX_DIGITS)
  let remaining = number / BASE ** BigInt(length - digits)
  let prefix = ""
  for (let digit = 0; digit < digits; digit++) {
    prefix = ALPHABET[Number(remaining % BASE)]! + prefix
    remaining /= BASE
  }
  return { length, prefix }
}

const commonPrefix = (left: string, right: string): string => {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return left.slice(0, length)
}

/**
 * What is known of the base58 texts of so many bytes that start with `head` (hex, its first byte not 0): their lengths, and how all of
 * them start.
 */
export const textsOf = (head: string, bytes: number) => {
  const restBits = BigInt(8 * bytes - 4 * head.length)
  const lowest = BigInt(`0x${head}`) << restBits
  const [first, last] = [leadingDigits(lowest, bytes), leadingDigits(lowest + (1n << restBits) - 1n, bytes)]
  return { lengths: new Set([first.length, last.length]), prefix: commonPrefix(first.prefix, last.prefix) }
}

/**
 * Whether base58 text may stand for bytes that start with one of these `heads` (hex, of one length; their first bytes not 0). Decoding
 * is exact, and costs many times as much.
 */
export const startsLike = (heads: ReadonlyArray<string>): ((text: string) => boolean) => {
  const headBytes = heads[0]!.length / 2
  const prefixesByLength = new Map<number, ReadonlyArray<string>>()
  const prefixesOf = (length: number): ReadonlyArray<string> => {
    const known = prefixesByLength.get(length)
    if (known !== undefined) return known
    const most = Math.ceil(length / DIGITS_PER_BYTE)
    const sizes = [most - 1, most].filter((bytes) => bytes >= headBytes)
    const prefixes = heads.flatMap((head) =>
      sizes.map((bytes) => textsOf(head, bytes)).flatMap(({ lengths, prefix }) => (lengths.has(length) ? prefix : [])),
    )
    prefixesByLength.set(length, prefixes)
    return prefixes
  }
  return (text) => {
    if (text.length > LENGTH_MAX) return true
    for (const prefix of prefixesOf(text.length)) if (text.startsWith(prefix)) return true
    return false
  }
}
