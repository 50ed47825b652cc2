import { Schema, SchemaGetter } from "effect"
import { field } from "../http/Field.ts"
import { decodeBase58 } from "@launch-registry/solana/Base58"

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))

/**
 * The bytes of a key in the formats that clients use: an object keyed by byte index (JSON of a `Uint8Array`), an array
 * of bytes, or base58. Error messages never repeat the value: it may be a secret.
 */
const keyBytes = (length: number) => {
  const message = `expected ${length} bytes as an object of byte indexes, an array or base58`
  return Schema.Union([
    Schema.Record(Schema.String, Byte).check(Schema.isMaxProperties(length)),
    Schema.Array(Byte).check(Schema.isMaxLength(length)),
    Schema.String.check(Schema.isMaxLength(2 * length)),
  ])
    .annotate({ message })
    .check(Schema.makeFilter((value: KeyInput) => bytesOf(value, length) !== undefined || message))
    .pipe(
      Schema.decodeTo(Schema.Uint8Array, {
        decode: SchemaGetter.transform((value: KeyInput) => bytesOf(value, length)!),
        encode: SchemaGetter.transform((bytes: Uint8Array): KeyInput => [...bytes]),
      }),
    )
}

type KeyInput = { readonly [index: string]: number } | ReadonlyArray<number> | string

const isByte = (value: unknown): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255

const bytesOf = (value: KeyInput, length: number): Uint8Array | undefined => {
  if (typeof value === "string") {
    const bytes = decodeBase58(value)
    return bytes?.length === length ? bytes : undefined
  }
  const fields = value as { readonly [index: string]: number }
  if (Object.keys(fields).length !== length) return undefined
  const bytes = new Uint8Array(length)
  for (let index = 0; index < length; index++) {
    const byte = fields[index]
    if (!isByte(byte)) return undefined
    bytes[index] = byte
  }
  return bytes
}

interface KeyHalves {
  readonly publicKey: Uint8Array
  readonly secretKey?: Uint8Array
}

/**
 * The key of a DBC config: the 32 bytes of its public key. Clients may send the whole keypair returned by `dbc-config`:
 * the 64-byte secret key is compared with the public key and discarded.
 */
export const ConfigKeypair = Schema.Struct({
  publicKey: field(keyBytes(32), "The 32 bytes: an object keyed by byte index, an array of bytes, or base58"),
  secretKey: Schema.optionalKey(
    field(
      keyBytes(64),
      "The 64 bytes, in one of the same formats. Not needed: it is only compared with publicKey, and discarded",
    ),
  ),
})
  .check(
    Schema.makeFilter(
      ({ publicKey, secretKey }: KeyHalves) =>
        secretKey === undefined ||
        publicKey.every((byte, index) => byte === secretKey[32 + index]) ||
        "expected a secretKey whose last 32 bytes are the publicKey",
    ),
  )
  .annotate({ identifier: "ConfigKeypair" })
  .pipe(
    Schema.annotateEncoded({
      description:
        "Key of the DBC configuration, as returned by dbc-config. publicKey is enough: better do not send secretKey",
    }),
  )
