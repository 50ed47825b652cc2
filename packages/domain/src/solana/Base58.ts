/**
 * Base58 in the Bitcoin alphabet, as Solana writes addresses and signatures.
 *
 * Big numbers are arrays of limbs in doubles: every step multiplies a small array by 58^5 (decode) or divides it by 58^5
 * (encode), and a division is a multiplication by the inverse. That is several times faster than a BigInt codec for
 * addresses, and than integer limbs with `%` for whole instructions.
 */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** A limb of 22 bits times 58^5, with a carry, stays an exact double. */
const DIGITS_PER_CHUNK = 5
const POWERS = [1, 58, 3364, 195112, 11316496, 656356768] as const
const CHUNK_SIZE = POWERS[DIGITS_PER_CHUNK]
const CHUNK_INVERSE = 1 / CHUNK_SIZE
const LIMB_BITS = 22
const LIMB_SIZE = 2 ** LIMB_BITS
const LIMB_INVERSE = 1 / LIMB_SIZE

/** Most texts are addresses, signatures and instructions; what is longer gets an array of its own. */
const SCRATCH_LIMBS = 512
const scratch = new Float64Array(SCRATCH_LIMBS)
/** Enough for one of these per character, or two per byte. */
const limbsFor = (length: number): Float64Array => (length <= SCRATCH_LIMBS ? scratch : new Float64Array(length))

const DIGIT_OF_CHAR_CODE = new Int8Array(128).fill(-1)
for (let digit = 0; digit < ALPHABET.length; digit++) DIGIT_OF_CHAR_CODE[ALPHABET.charCodeAt(digit)] = digit

/** Characters that are taken in one pass over the limbs: four chunks, whose carries do not wait for one another. */
const PASS_LENGTH = 4 * DIGITS_PER_CHUNK
/** What four chunks, of 118 bits, can add. */
const PASS_LIMBS = 6

/** The number that `count` characters from `at` stand for; not a number when one is outside the alphabet. */
const chunkAt = (text: string, at: number, count: number): number => {
  let chunk = 0
  for (let index = at; index < at + count; index++) {
    const code = text.charCodeAt(index)
    const digit = code < 128 ? DIGIT_OF_CHAR_CODE[code]! : -1
    if (digit < 0) return Number.NaN
    chunk = chunk * 58 + digit
  }
  return chunk
}

/** The bytes that `text` stands for, or `undefined` when a character is outside the alphabet. */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  let zeros = 0
  while (zeros < text.length && text.charCodeAt(zeros) === 49) zeros++
  const limbs = limbsFor(text.length + PASS_LIMBS)
  let used = 0
  let at = zeros
  for (; at + PASS_LENGTH <= text.length; at += PASS_LENGTH) {
    let first = chunkAt(text, at, DIGITS_PER_CHUNK)
    let second = chunkAt(text, at + DIGITS_PER_CHUNK, DIGITS_PER_CHUNK)
    let third = chunkAt(text, at + 2 * DIGITS_PER_CHUNK, DIGITS_PER_CHUNK)
    let fourth = chunkAt(text, at + 3 * DIGITS_PER_CHUNK, DIGITS_PER_CHUNK)
    if (Number.isNaN(first + second + third + fourth)) return undefined
    limbs.fill(0, used, used + PASS_LIMBS)
    used += PASS_LIMBS
    for (let limb = 0; limb < used; limb++) {
      // The inverse of a power of two is exact.
      let product = limbs[limb]! * CHUNK_SIZE + first
      first = Math.floor(product * LIMB_INVERSE)
      product = (product - first * LIMB_SIZE) * CHUNK_SIZE + second
      second = Math.floor(product * LIMB_INVERSE)
      product = (product - second * LIMB_SIZE) * CHUNK_SIZE + third
      third = Math.floor(product * LIMB_INVERSE)
      product = (product - third * LIMB_SIZE) * CHUNK_SIZE + fourth
      fourth = Math.floor(product * LIMB_INVERSE)
      limbs[limb] = product - fourth * LIMB_SIZE
    }
    while (used > 0 && limbs[used - 1] === 0) used--
  }
  while (at < text.length) {
    const count = Math.min(DIGITS_PER_CHUNK, text.length - at)
    let carry = chunkAt(text, at, count)
    if (Number.isNaN(carry)) return undefined
    const factor = POWERS[count]!
    for (let limb = 0; limb < used; limb++) {
      const product = limbs[limb]! * factor + carry
      carry = Math.floor(product * LIMB_INVERSE)
      limbs[limb] = product - carry * LIMB_SIZE
    }
    while (carry > 0) {
      const higher = Math.floor(carry * LIMB_INVERSE)
      limbs[used++] = carry - higher * LIMB_SIZE
      carry = higher
    }
    at += count
  }
  return bytesOf(limbs, used, zeros)
}

/** Limbs of 22 bits, the least significant first, as big-endian bytes behind `zeros`. */
const bytesOf = (limbs: Float64Array, used: number, zeros: number): Uint8Array => {
  const bits = used === 0 ? 0 : (used - 1) * LIMB_BITS + 32 - Math.clz32(limbs[used - 1]!)
  const bytes = new Uint8Array(zeros + Math.ceil(bits / 8))
  let window = 0
  let windowBits = 0
  let limb = 0
  for (let at = bytes.length - 1; at >= zeros; at--) {
    if (windowBits < 8 && limb < used) {
      window |= limbs[limb++]! << windowBits
      windowBits += LIMB_BITS
    }
    bytes[at] = window & 0xff
    window >>>= 8
    windowBits -= 8
  }
  return bytes
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

/** Whole chunks in a product; the inverse is not exact, so the result can be one off before it is put right. */
const quotient = (product: number): number => {
  const estimate = Math.floor(product * CHUNK_INVERSE)
  const rest = product - estimate * CHUNK_SIZE
  return rest < 0 ? estimate - 1 : rest >= CHUNK_SIZE ? estimate + 1 : estimate
}
