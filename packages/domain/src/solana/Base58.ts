/**
 * Base58 in the Bitcoin alphabet, as Solana writes addresses and signatures.
 *
 * Works on 32-bit limbs: every step multiplies a small array by 58^5 (decode) or divides it by 58^5 (encode) instead
 * of going through one big integer, which is what makes it several times faster than a BigInt codec.
 */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** 58^5 is the largest power of 58 whose product with a 24-bit limb stays an exact double. */
const DIGITS_PER_CHUNK = 5
const POWERS = [1, 58, 3364, 195112, 11316496, 656356768] as const
const LIMB_BITS = 16
const LIMB_SIZE = 1 << LIMB_BITS

const DIGIT_OF_CHAR_CODE = new Int8Array(128).fill(-1)
for (let digit = 0; digit < ALPHABET.length; digit++) DIGIT_OF_CHAR_CODE[ALPHABET.charCodeAt(digit)] = digit

/** The bytes that `text` stands for, or `undefined` when a character is outside the alphabet. */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  let zeros = 0
  while (zeros < text.length && text.charCodeAt(zeros) === 49) zeros++
  // log(58) / log(2^16) = 0.36613 limbs a character, rounded up.
  const limbs = new Uint16Array(Math.ceil((text.length - zeros) * 0.3662) + 1)
  let used = 0
  for (let at = zeros; at < text.length;) {
    let chunk = 0
    let count = 0
    for (; count < DIGITS_PER_CHUNK && at < text.length; count++, at++) {
      const code = text.charCodeAt(at)
      const digit = code < 128 ? DIGIT_OF_CHAR_CODE[code]! : -1
      if (digit < 0) return undefined
      chunk = chunk * 58 + digit
    }
    const factor = POWERS[count]!
    let carry = chunk
    for (let limb = 0; limb < used; limb++) {
      const product = limbs[limb]! * factor + carry
      limbs[limb] = product % LIMB_SIZE
      carry = Math.floor(product / LIMB_SIZE)
    }
    while (carry > 0) {
      limbs[used++] = carry % LIMB_SIZE
      carry = Math.floor(carry / LIMB_SIZE)
    }
  }
  const highByte = used > 0 && limbs[used - 1]! < 256
  const length = used * 2 - (highByte ? 1 : 0)
  const bytes = new Uint8Array(zeros + length)
  for (let at = 0; at < length; at++) {
    const limb = limbs[at >> 1]!
    bytes[zeros + length - 1 - at] = at & 1 ? limb >> 8 : limb & 0xff
  }
  return bytes
}

/** The base58 text of `bytes`. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let zeros = 0
  while (zeros < bytes.length && bytes[zeros] === 0) zeros++
  // Chunks of five digits, least significant first; log(256) / log(58^5) = 0.27314 chunks a byte.
  const chunks = new Uint32Array(Math.ceil((bytes.length - zeros) * 0.2732) + 1)
  const base = POWERS[DIGITS_PER_CHUNK]!
  let used = 0
  for (let at = zeros; at < bytes.length;) {
    let carry = bytes[at++]!
    let factor = 256
    if (at < bytes.length) {
      carry = carry * 256 + bytes[at++]!
      factor = LIMB_SIZE
    }
    for (let chunk = 0; chunk < used; chunk++) {
      const product = chunks[chunk]! * factor + carry
      chunks[chunk] = product % base
      carry = Math.floor(product / base)
    }
    while (carry > 0) {
      chunks[used++] = carry % base
      carry = Math.floor(carry / base)
    }
  }
  let text = ""
  for (let chunk = 0; chunk < used; chunk++) {
    let value = chunks[chunk]!
    for (let digit = 0; digit < DIGITS_PER_CHUNK && (value > 0 || chunk < used - 1); digit++) {
      text = ALPHABET[value % 58]! + text
      value = Math.floor(value / 58)
    }
  }
  return "1".repeat(zeros) + text
}
