/** Encoded points of the curve of a small order, without the sign of x; the last two are encoded otherwise than usual. */
export const SMALL_ORDER: ReadonlyArray<string> = [
  "0000000000000000000000000000000000000000000000000000000000000000",
  "0100000000000000000000000000000000000000000000000000000000000000",
  "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
  "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
  "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
  "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
]

/**
 * Whether anyone can sign for a public key of Ed25519: OpenSSL 3.0 accepts forged signatures of such keys, 3.5 none. The
 * address of the system program is one of them.
 */
export const isSmallOrder = (key: Uint8Array): boolean => {
  const point = Buffer.from(key)
  point[31]! &= 0x7f
  return SMALL_ORDER.includes(point.toString("hex"))
}
