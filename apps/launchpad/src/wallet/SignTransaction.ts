import { base58 } from "./Base58.ts"

const SIGNATURE_BYTES = 64
const ADDRESS_BYTES = 32
/** Version byte, header, configuration mask, lifetime, numbers of instructions and of addresses. */
const ADDRESSES_AT_V1 = 1 + 3 + 4 + 32 + 1 + 1
const VERSION_1 = 0x81

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

interface Parts {
  readonly message: Uint8Array<ArrayBuffer>
  readonly signaturesAt: number
  readonly required: number
  readonly addressesAt: number
}

/** Version 1 has the signatures behind the message (SIMD-0385), all others before it. */
const partsOf = (wire: Uint8Array<ArrayBuffer>): Parts => {
  if (wire[0] === VERSION_1) {
    const required = wire[1] ?? 0
    const signaturesAt = wire.length - required * SIGNATURE_BYTES
    return { message: wire.slice(0, signaturesAt), signaturesAt, required, addressesAt: ADDRESSES_AT_V1 }
  }
  const [signatures, signaturesAt] = compactNumber(wire, 0)
  const message = wire.slice(signaturesAt + signatures * SIGNATURE_BYTES)
  // A versioned message begins with its version.
  const header = message[0]! >= 0x80 ? 1 : 0
  const [, addressesAt] = compactNumber(message, header + 3)
  if (message[header] !== signatures) throw new RangeError("These bytes are no transaction")
  return { message, signaturesAt, required: signatures, addressesAt }
}

/** The first signature of a signed transaction, that of its fee payer, by which it is known. */
export const signatureOf = (signed: Uint8Array): string => {
  const { signaturesAt } = partsOf(signed.slice())
  return base58(signed.subarray(signaturesAt, signaturesAt + SIGNATURE_BYTES))
}

/** The wire bytes of a transaction with the signature of `address` in its place; those of others stay. */
export const signTransaction = async (
  wire: Uint8Array<ArrayBuffer>,
  address: string,
  signBytes: (message: Uint8Array<ArrayBuffer>) => Promise<Uint8Array>,
): Promise<Uint8Array<ArrayBuffer>> => {
  const { addressesAt, message, required, signaturesAt } = partsOf(wire)
  for (let index = 0; index < required; index++) {
    const start = addressesAt + index * ADDRESS_BYTES
    if (base58(message.subarray(start, start + ADDRESS_BYTES)) !== address) continue
    const signed = wire.slice()
    signed.set(await signBytes(message), signaturesAt + index * SIGNATURE_BYTES)
    return signed
  }
  throw new RangeError("This wallet is not among the signers of the transaction")
}
