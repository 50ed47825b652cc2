/**
 * Base58 in the Bitcoin alphabet, as Solana writes addresses and signatures.
 *
 * Big numbers are arrays of limbs in doubles. Encoding divides a small array by 58^5 over and over, and a division is a
 * multiplication by the inverse. Decoding sums products of digits and precomputed powers of 58 without taking carries
 * in between. Both are several times faster than a BigInt codec, and than integer limbs with `%`.
 */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const ONE = 49

/** Chunks of encoding: a byte pair times 58^5, with a carry, stays an exact double. */
const DIGITS_PER_CHUNK = 5
const POWERS = [1, 58, 3364, 195112, 11316496, 656356768] as const
const CHUNK_SIZE = POWERS[DIGITS_PER_CHUNK]
const CHUNK_INVERSE = 1 / CHUNK_SIZE

/** Most texts are addresses, signatures and instructions; what is longer gets arrays of its own. */
const SCRATCH_LIMBS = 512
const scratch = new Float64Array(SCRATCH_LIMBS)
const limbsFor = (count: number): Float64Array => (count <= SCRATCH_LIMBS ? scratch : new Float64Array(count))
const SCRATCH_TEXT = 2048
const scratchText = new Uint8Array(SCRATCH_TEXT)
const SHORT_TEXT = 32
const utf8 = new TextEncoder()

/** The digit of every byte; `NO_DIGIT`, a bit that no digit has, of those outside the alphabet. */
const NO_DIGIT = 128
const DIGIT_OF_BYTE = new Uint8Array(256).fill(NO_DIGIT)
for (let digit = 0; digit < ALPHABET.length; digit++) DIGIT_OF_BYTE[ALPHABET.charCodeAt(digit)] = digit

/*
 * Decoding. A text is read in blocks of 24 quads, a quad being four characters; the first block takes what is over. What
 * is known so far is multiplied by 58^96, and quad `q` of the block, counted from its end, adds its value times 58^4q.
 *
 * It is exact: limbs have 24 bits and quads are below 58^4 < 2^24, so every product is below 2^48, and a limb sums at
 * most 24 products (below 2^53) before its carries are taken. For 58^4q lies below limb q, hence limb l gets products
 * of at most 24 - l quads; and as 58^96 is 29^96, of 20 limbs, above 4 limbs of zeros, it gets at most l - 3 and at
 * most 20 products of limbs.
 */
const LIMB_SIZE = 2 ** 24
const LIMB_INVERSE = 1 / LIMB_SIZE
const LIMB_MASK = LIMB_SIZE - 1
const QUAD_LENGTH = 4
const BLOCK_LENGTH = 96
const BLOCK_ZEROS = 4

/** Four quads are added in one pass over the limbs, and four limbs multiplied in one. */
const GROUP_LENGTH = 4 * QUAD_LENGTH

const limbsOf = (value: bigint, count: number): Array<number> =>
  Array.from({ length: count }, (_, limb) => Number((value >> BigInt(24 * limb)) & BigInt(LIMB_MASK)))

/** 29^96: 20 limbs, and zeros for the three places that the last of four limbs stands above the first. */
const FACTOR_LIMBS = 20 + 3
const BLOCK_FACTOR = Float64Array.from(limbsOf(29n ** BigInt(BLOCK_LENGTH), FACTOR_LIMBS))

/** The lowest limb of the powers of every group that is not zero: every 24 characters bring 24 factors of two. */
const LOWEST_LIMB = Array.from({ length: BLOCK_LENGTH / GROUP_LENGTH }, (_, group) =>
  Math.floor((group * GROUP_LENGTH) / 24),
)

/** What the four quads of a group are multiplied by: for each limb, from the lowest, that limb of the four powers. */
const WEIGHTS = LOWEST_LIMB.map((lowest, group) => {
  const count = 4 * group + 3
  const powers = [0, 1, 2, 3].map((quad) => limbsOf(58n ** BigInt(GROUP_LENGTH * group + QUAD_LENGTH * quad), count))
  return Float64Array.from(
    Array.from({ length: count }, (_, limb) => powers.map((power) => power[limb]!))
      .slice(lowest)
      .flat(),
  )
})

/** The bytes that `text` stands for, or `undefined` when a character is outside the alphabet. */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  const codes = text.length <= SCRATCH_TEXT ? scratchText : new Uint8Array(text.length)
  if (!readCodes(text, codes)) return undefined
  const from = afterOnes(codes, text.length)
  const limbs = limbsFor(limbsNeeded(text.length - from))
  const size = readNumber(codes, from, text.length, limbs)
  if (size < 0) return undefined
  const bytes = new Uint8Array(from + size)
  writeBytes(limbs, from, bytes.length, bytes)
  return bytes
}

/** The characters of `text` as bytes; false when they are not ASCII. A loop is the faster one for short texts. */
const readCodes = (text: string, codes: Uint8Array): boolean => {
  if (text.length > SHORT_TEXT) {
    const { read, written } = utf8.encodeInto(text, codes)
    return read === text.length && written === read
  }
  let union = 0
  for (let at = 0; at < text.length; at++) union |= codes[at] = text.charCodeAt(at)
  return union < 128
}

/** Where the leading ones end, each of which is a byte of zero. */
const afterOnes = (text: Uint8Array, length: number): number => {
  let at = 0
  while (at < length && text[at] === ONE) at++
  return at
}

/** How many quads, whole or not, `length` characters are. */
const quadsIn = (length: number): number => (length + QUAD_LENGTH - 1) >> 2

/** A limb for every quad, and three that passes over four at once reach with zeros. */
const limbsNeeded = (length: number): number => quadsIn(length) + 3

/** Reads a number into `limbs`, least significant first: how many bytes it has, -1 when there is no such number. */
const readNumber = (text: Uint8Array, from: number, to: number, limbs: Float64Array): number => {
  for (let limb = limbsNeeded(to - from) - 1; limb >= 0; limb--) limbs[limb] = 0
  let used = 0
  let start = from
  for (let end = from + ((to - from) % BLOCK_LENGTH); end <= to; end += BLOCK_LENGTH) {
    if (used > 0) multiplyByBlock(limbs, used)
    let quads = 0
    for (let group = 0, at = end; at > start; group++, at -= GROUP_LENGTH)
      quads |= addGroup(text, start, at, limbs, group)
    if (quads < 0) return -1
    used += quadsIn(end - start)
    takeCarries(limbs, used)
    start = end
  }
  while (used > 0 && limbs[used - 1] === 0) used--
  return used === 0 ? 0 : 3 * used - (Math.clz32(limbs[used - 1]!) >> 3) + 1
}

/** Multiplies by 58^96, in place: from the top, as a limb only adds to those above it. */
const multiplyByBlock = (limbs: Float64Array, used: number): void => {
  for (let at = (used - 1) & ~3; at >= 0; at -= 4) {
    const limb0 = limbs[at]!
    const limb1 = limbs[at + 1]!
    const limb2 = limbs[at + 2]!
    const limb3 = limbs[at + 3]!
    limbs[at] = limbs[at + 1] = limbs[at + 2] = limbs[at + 3] = 0
    let factor1 = 0
    let factor2 = 0
    let factor3 = 0
    for (let index = 0, to = at + BLOCK_ZEROS; index < FACTOR_LIMBS; index++, to++) {
      const factor0 = BLOCK_FACTOR[index]!
      limbs[to] = limbs[to]! + (limb0 * factor0 + limb1 * factor1 + (limb2 * factor2 + limb3 * factor3))
      factor3 = factor2
      factor2 = factor1
      factor1 = factor0
    }
  }
}

/** Adds the group of a block that ends at `to`; negative when a character is outside the alphabet. */
const addGroup = (text: Uint8Array, from: number, to: number, limbs: Float64Array, group: number): number => {
  const quad0 = quadBefore(text, from, to)
  const quad1 = quadBefore(text, from, to - QUAD_LENGTH)
  const quad2 = quadBefore(text, from, to - 2 * QUAD_LENGTH)
  const quad3 = quadBefore(text, from, to - 3 * QUAD_LENGTH)
  const weights = WEIGHTS[group]!
  for (let at = 0, limb = LOWEST_LIMB[group]!; at < weights.length; at += 4, limb++) {
    const low = quad0 * weights[at]! + quad1 * weights[at + 1]!
    limbs[limb] = limbs[limb]! + (low + (quad2 * weights[at + 2]! + quad3 * weights[at + 3]!))
  }
  return quad0 | quad1 | quad2 | quad3
}

/** The value of the four characters before `to`, or of as many as there are from `from`; -1 when one is no digit. */
const quadBefore = (text: Uint8Array, from: number, to: number): number => {
  if (to - from >= QUAD_LENGTH) {
    const digit0 = DIGIT_OF_BYTE[text[to - 4]!]!
    const digit1 = DIGIT_OF_BYTE[text[to - 3]!]!
    const digit2 = DIGIT_OF_BYTE[text[to - 2]!]!
    const digit3 = DIGIT_OF_BYTE[text[to - 1]!]!
    if (((digit0 | digit1 | digit2 | digit3) & NO_DIGIT) !== 0) return -1
    return ((digit0 * 58 + digit1) * 58 + digit2) * 58 + digit3
  }
  let quad = 0
  for (let at = from; at < to; at++) {
    const digit = DIGIT_OF_BYTE[text[at]!]!
    if (digit === NO_DIGIT) return -1
    quad = quad * 58 + digit
  }
  return quad
}

/**
 * Brings sums back to 24 bits. The upper part of a sum, below 2^29, goes to the next limb without waiting for other
 * carries; what then is to be carried on fits integers of 32 bits.
 */
const takeCarries = (limbs: Float64Array, used: number): void => {
  let upper = 0
  let carry = 0
  for (let limb = 0; limb < used; limb++) {
    const sum = limbs[limb]!
    // The inverse of a power of two is exact.
    const next = Math.floor(sum * LIMB_INVERSE)
    const value = ((sum - next * LIMB_SIZE + upper) | 0) + carry
    limbs[limb] = value & LIMB_MASK
    carry = value >> 24
    upper = next
  }
}

/** Writes the number in `limbs` as big-endian bytes `from` to `to` of `target`. */
const writeBytes = (limbs: Float64Array, from: number, to: number, target: Uint8Array): void => {
  let limb = 0
  let at = to - 1
  for (; at >= from + 2; at -= 3) {
    const value = limbs[limb++]! | 0
    target[at] = value
    target[at - 1] = value >> 8
    target[at - 2] = value >> 16
  }
  for (let value = limbs[limb]! | 0; at >= from; at--, value >>= 8) target[at] = value
}

/** The base58 text of `bytes`. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  // Chunks of five digits, least significant first.
  const chunks = limbsFor(bytes.length * 2)
  let used = 0
  for (let at = zeros; at < bytes.length;) {
    let carry = bytes[at++]!
    let factor = 256
    if (at < bytes.length) {
      carry = carry * 256 + bytes[at++]!
      factor = 65_536
    }
    for (let chunk = 0; chunk < used; chunk++) {
      const product = chunks[chunk]! * factor + carry
      carry = quotient(product)
      chunks[chunk] = product - carry * CHUNK_SIZE
    }
    while (carry > 0) {
      const higher = quotient(carry)
      chunks[used++] = carry - higher * CHUNK_SIZE
      carry = higher
    }
  }
  let text = "1".repeat(zeros)
  for (let chunk = used - 1; chunk >= 0; chunk--) {
    const value = chunks[chunk]!
    const isFirst = chunk === used - 1
    for (let power = DIGITS_PER_CHUNK - 1; power >= 0; power--) {
      const digits = Math.floor(value / POWERS[power]!)
      if (!isFirst || digits > 0) text += ALPHABET[digits % 58]!
    }
  }
  return text
}

/** Whole chunks in a product; the inverse is not exact, so the result can be one off before it is corrected. */
const quotient = (product: number): number => {
  const estimate = Math.floor(product * CHUNK_INVERSE)
  const rest = product - estimate * CHUNK_SIZE
  return rest < 0 ? estimate - 1 : rest >= CHUNK_SIZE ? estimate + 1 : estimate
}
