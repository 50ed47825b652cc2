import { encodeBase58 } from "@launch-registry/domain/solana/Base58"

/** Base58 text of the lowest or the highest bytes that start with `head` (hex). */
const textOf = (head: string, bytes: number, fill: number): string => {
  const start = Buffer.from(head, "hex")
  return encodeBase58(Uint8Array.from(Buffer.concat([start, Buffer.alloc(bytes - start.length, fill)])))
}

const commonPrefix = (left: string, right: string): string => {
  let length = 0
  while (length < left.length && left[length] === right[length]) length++
  return left.slice(0, length)
}

/** What is known of the base58 texts of so many bytes that start with `head` (hex): their lengths, and how all of them start. */
export const textsOf = (head: string, bytes: number) => {
  const [lowest, highest] = [textOf(head, bytes, 0), textOf(head, bytes, 255)]
  return { lengths: new Set([lowest.length, highest.length]), prefix: commonPrefix(lowest, highest) }
}

/** Bytes that so many digits of base 58 stand for. */
const bytesOf = (digits: number): number => (digits * Math.log2(58)) / 8

/**
 * Whether base58 text may stand for bytes that start with one of these `heads` (hex, of one length; the first byte is not 0). Decoding
 * tells for certain, and costs many times as much.
 */
export const startsLike = (heads: ReadonlyArray<string>): ((text: string) => boolean) => {
  const headBytes = heads[0]!.length / 2
  const prefixesByLength = new Map<number, ReadonlyArray<string>>()
  const prefixesOf = (length: number): ReadonlyArray<string> => {
    const known = prefixesByLength.get(length)
    if (known !== undefined) return known
    const most = Math.ceil(bytesOf(length))
    const sizes = [most - 1, most].filter((bytes) => bytes >= headBytes)
    const prefixes = heads.flatMap((head) =>
      sizes.map((bytes) => textsOf(head, bytes)).flatMap(({ lengths, prefix }) => (lengths.has(length) ? prefix : [])),
    )
    prefixesByLength.set(length, prefixes)
    return prefixes
  }
  return (text) => {
    for (const prefix of prefixesOf(text.length)) if (text.startsWith(prefix)) return true
    return false
  }
}
