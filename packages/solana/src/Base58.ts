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
  const hex = value === 0n ? "" : value.toString(16)
  const number = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, "hex")
  const bytes = new Uint8Array(ones + number.length)
  bytes.set(number, ones)
  return bytes
}

/** The base58 text of `bytes`. */
export const encodeBase58 = (bytes: Uint8Array): string => {
  let zeros = 0
  while (bytes[zeros] === 0) zeros++
  let value = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`)
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
