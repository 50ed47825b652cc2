/**
 * Base58 in the Bitcoin alphabet, as Solana writes addresses, signatures and instructions. By hand, because the codec of `@solana/kit` takes
 * fourteen times as long for an event, which every swap has: 147 µs, twice as much as all else that ingest does for one transaction.
 */
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** The digit of an ASCII character; -1 of one outside the alphabet. */
const DIGITS = Int8Array.from({ length: 128 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)))

/** As many digits as a double holds exactly: the number takes one step for each such chunk. */
const CHUNK_DIGITS = 9
const CHUNK_SIZE = BigInt(58 ** CHUNK_DIGITS)

// Hexadecimal digits, because browsers run this, too: there is no `Buffer`.
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"))
const hexDigit = (code: number): number => code - (code < 58 ? 48 : 87)

/** The bytes that `text` stands for, or `undefined` when a character is outside the alphabet. */
export const decodeBase58 = (text: string): Uint8Array | undefined => {
  let ones = 0
  while (text[ones] === "1") ones++
  let value = 0n
  let chunk = 0
  let digits = 0
  for (let at = ones; at < text.length; at++) {
    const digit = DIGITS[text.charCodeAt(at)] ?? -1
    if (digit < 0) return undefined
    chunk = chunk * 58 + digit
    digits++
    if (digits < CHUNK_DIGITS && at < text.length - 1) continue
    value = value * (digits === CHUNK_DIGITS ? CHUNK_SIZE : BigInt(58 ** digits)) + BigInt(chunk)
    chunk = digits = 0
  }
  const digitsOfValue = value === 0n ? "" : value.toString(16)
  const hex = digitsOfValue.length % 2 === 0 ? digitsOfValue : `0${digitsOfValue}`
  const bytes = new Uint8Array(ones + hex.length / 2)
  for (let at = 0; at < hex.length; at += 2)
    bytes[ones + at / 2] = hexDigit(hex.charCodeAt(at)) * 16 + hexDigit(hex.charCodeAt(at + 1))
  return bytes
}

/** The base58 text of `bytes`. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let zeros = 0
  while (bytes[zeros] === 0) zeros++
  let hex = "0x0"
  for (const byte of bytes) hex += HEX[byte]!
  let value = BigInt(hex)
  let text = ""
  while (value > 0n) {
    let chunk = Number(value % CHUNK_SIZE)
    value /= CHUNK_SIZE
    for (let digits = 0; digits < CHUNK_DIGITS && (chunk > 0 || value > 0n); digits++) {
      text = ALPHABET[chunk % 58]! + text
      chunk = Math.floor(chunk / 58)
    }
  }
  return "1".repeat(zeros) + text
}
