const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** As Solana writes addresses and signatures. */
export const base58 = (bytes: Uint8Array): string => {
  const zeros = bytes.findIndex((byte) => byte !== 0)
  let [value, text] = [0n, ""]
  for (const byte of bytes) value = value * 256n + BigInt(byte)
  for (; value > 0n; value /= 58n) text = ALPHABET[Number(value % 58n)]! + text
  return "1".repeat(zeros === -1 ? bytes.length : zeros) + text
}
