import { base58 } from "./Base58.ts"

const SIGNATURE_BYTES = 64
const ADDRESS_BYTES = 32

/** Reads a compact-u16 of Solana's wire format: the number, and where it ends. */
const compactNumber = (bytes: Uint8Array, at: number): readonly [number, number] => {
  let value = 0
  for (let index = 0; index < 3; index++) {
    const byte = bytes[at + index]
    if (byte === undefined) break
    value |= (byte & 0x7f) << (7 * index)
    if (byte < 0x80) return [value, at + index + 1]
  }
  throw new RangeError("These bytes are no transaction")
}

/** The wire bytes of a transaction with the signature of `address` in its place; those of others stay. */
export const signTransaction = async (
  wire: Uint8Array<ArrayBuffer>,
  address: string,
  signBytes: (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const [signatures, signaturesAt] = compactNumber(wire, 0)
  const message = wire.slice(signaturesAt + signatures * SIGNATURE_BYTES)
  // A versioned message begins with its version.
  const header = message[0]! >= 0x80 ? 1 : 0
  const required = message[header] ?? 0
  const [addresses, addressesAt] = compactNumber(message, header + 3)
  if (required !== signatures || addresses < required) throw new RangeError("These bytes are no transaction")
  for (let index = 0; index < required; index++) {
    const start = addressesAt + index * ADDRESS_BYTES
    if (base58(message.subarray(start, start + ADDRESS_BYTES)) !== address) continue
    const signed = wire.slice()
    signed.set(await signBytes(message), signaturesAt + index * SIGNATURE_BYTES)
    return signed
  }
  throw new RangeError("This wallet is not among the signers of the transaction")
}
