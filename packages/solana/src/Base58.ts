/** Base58 in the Bitcoin alphabet, as Solana writes addresses and signatures. */

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
const NO_DIGIT = -1
const DIGIT_OF_CODE = new Int8Array(128).fill(NO_DIGIT)
for (const [digit, character] of [...ALPHABET].entries()) DIGIT_OF_CODE[character.charCodeAt(0)] = digit

/** Nine digits at a time: 58^9 is the highest power of 58 that a double holds exactly. */
const CHUNK_DIGITS = 9
const POWERS = Array.from({ length: CHUNK_DIGITS + 1 }, (_, digits) => 58n ** BigInt(digits))
const CHUNK_SIZE = POWERS[CHUNK_DIGITS]!

/** The bytes that `text` stands for, or `undefined` when a character is outside the alphabet. */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  let value = 0n
  for (let at = 0; at < text.length;) {
    const end = Math.min(at + CHUNK_DIGITS, text.length)
    const power = POWERS[end - at]!
    let chunk = 0
    for (; at < end; at++) {
      const digit = DIGIT_OF_CODE[text.charCodeAt(at)] ?? NO_DIGIT
      if (digit === NO_DIGIT) return undefined
      chunk = chunk * 58 + digit
    }
    value = value * power + BigInt(chunk)
  }
  // Each leading 1 is a byte of zero.
  let zeros = 0
  while (text[zeros] === "1") zeros++
  const hex = value === 0n ? "" : value.toString(16)
  const size = (hex.length + 1) >> 1
  const bytes = new Uint8Array(zeros + size)
  bytes.set(Buffer.from(hex.padStart(2 * size, "0"), "hex"), zeros)
  return bytes
}

/** The base58 text of `bytes`. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let zeros = 0
  while (bytes[zeros] === 0) zeros++
  const hex = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")
  let text = ""
  for (let value = BigInt(`0x0${hex}`); value > 0n; value /= CHUNK_SIZE) {
    const isLast = value < CHUNK_SIZE
    let chunk = Number(value % CHUNK_SIZE)
    for (let digit = 0; digit < CHUNK_DIGITS && !(isLast && chunk === 0); digit++) {
      text = ALPHABET[chunk % 58]! + text
      chunk = Math.floor(chunk / 58)
    }
  }
  return "1".repeat(zeros) + text
}
