import { createPublicKey, type KeyObject, verify } from "node:crypto"
import { encodeBase58 } from "@launch-registry/solana/Base58"
import {
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getAddressEncoder,
  getCompiledTransactionMessageDecoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  type ReadonlyUint8Array,
} from "@solana/kit"
import { Result } from "effect"
import { SYSTEM_PROGRAM } from "../launch/Programs.ts"
import { TRANSACTION_BYTES_MAX } from "../launch/UnsignedTransaction.ts"

/** A transaction whose every required signature is right. */
export interface SignedTransaction {
  /** As it goes over the wire. */
  readonly bytes: Uint8Array
  /** The first signature, by which the network knows the transaction. */
  readonly signature: string
  /** In their order; the first one pays the fee. */
  readonly signers: ReadonlyArray<string>
  readonly blockhash: string
  /** Programs of the instructions, in their order. */
  readonly programs: ReadonlyArray<string>
}

/** Why bytes are no transaction that the network takes. */
export type SignedFault =
  | { readonly _tag: "Malformed"; readonly reason: string }
  /** Signers without a signature, and those whose signature is of another message or key. */
  | { readonly _tag: "NotSigned"; readonly missing: ReadonlyArray<string>; readonly wrong: ReadonlyArray<string> }
  /** Valid until the nonce moves on, so no block height ends it. */
  | { readonly _tag: "DurableNonce"; readonly nonceAccount: string }

type Decodable = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime
type Message = Extract<Decodable, { readonly version: "legacy" | 0 }>

/** Instruction `AdvanceNonceAccount` of the System program, a u32. */
const ADVANCE_NONCE = 4

const malformed = (reason: string): Result.Result<never, SignedFault> => Result.fail({ _tag: "Malformed", reason })

/** Reads and checks a signed transaction, legacy or version 0, as a node does before it looks at the chain. */
export const readSigned = (bytes: Uint8Array): Result.Result<SignedTransaction, SignedFault> => {
  if (bytes.length > TRANSACTION_BYTES_MAX)
    return malformed(`it has ${bytes.length} bytes, more than the ${TRANSACTION_BYTES_MAX} of a packet`)
  const decoded = decode(bytes)
  if (decoded === undefined) return malformed("it cannot be decoded")
  const { message, messageBytes, signatures } = decoded
  if (message.version !== "legacy" && message.version !== 0)
    return malformed(`version ${message.version} is not known; send legacy or version 0`)
  const reason = unsanitary(message)
  if (reason !== undefined) return malformed(reason)
  const signers = message.staticAccounts.slice(0, message.header.numSignerAccounts).map(String)
  const missing = signers.filter((signer) => isEmpty(signatures[signer]))
  const wrong = signers.filter(
    (signer) => !missing.includes(signer) && !isSignedBy(signer, signatures[signer]!, messageBytes),
  )
  if (missing.length + wrong.length > 0) return Result.fail({ _tag: "NotSigned", missing, wrong })
  const nonceAccount = nonceOf(message)
  if (nonceAccount !== undefined) return Result.fail({ _tag: "DurableNonce", nonceAccount })
  return Result.succeed({
    bytes,
    signature: encodeBase58(signatures[signers[0]!]!),
    signers,
    blockhash: message.lifetimeToken,
    programs: message.instructions.map(({ programAddressIndex }) =>
      String(message.staticAccounts[programAddressIndex]),
    ),
  })
}

interface Decoded {
  readonly message: Decodable
  readonly messageBytes: Uint8Array
  readonly signatures: Readonly<Record<string, Uint8Array | null>>
}

/** Undefined where the bytes have another form, or more follow. */
const decode = (bytes: Uint8Array): Decoded | undefined => {
  try {
    const transaction = getTransactionDecoder().decode(bytes)
    const messageBytes = Uint8Array.from(transaction.messageBytes)
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes) as Decodable
    const isWhole =
      isSame(getTransactionEncoder().encode(transaction), bytes) &&
      isSame(getCompiledTransactionMessageEncoder().encode(message), messageBytes)
    return isWhole ? { message, messageBytes, signatures: transaction.signatures } : undefined
  } catch {
    return undefined
  }
}

const isSame = (some: ReadonlyUint8Array, other: Uint8Array): boolean =>
  Buffer.compare(Uint8Array.from(some), other) === 0

/** What every node refuses about the indices of a message (agave, `SanitizedMessage`). */
const unsanitary = (message: Message): string | undefined => {
  const { header, instructions, staticAccounts } = message
  const lookups = "addressTableLookups" in message ? (message.addressTableLookups ?? []) : []
  const loaded = lookups.reduce(
    (sum, { readonlyIndexes, writableIndexes }) => sum + readonlyIndexes.length + writableIndexes.length,
    0,
  )
  const accounts = staticAccounts.length + loaded
  if (header.numSignerAccounts === 0 || header.numReadonlySignerAccounts >= header.numSignerAccounts)
    return "it has no account that pays the fee"
  if (header.numSignerAccounts + header.numReadonlyNonSignerAccounts > staticAccounts.length)
    return "its header counts more accounts than it has"
  if (lookups.some(({ readonlyIndexes, writableIndexes }) => readonlyIndexes.length + writableIndexes.length === 0))
    return "it has a lookup table of which it uses nothing"
  if (accounts > 256) return "it has more than 256 accounts"
  if (new Set(staticAccounts).size < staticAccounts.length) return "it has an account twice"
  for (const [index, { accountIndices = [], programAddressIndex }] of instructions.entries()) {
    if (programAddressIndex === 0 || programAddressIndex >= staticAccounts.length)
      return `instruction ${index} has no program`
    if (accountIndices.some((account) => account >= accounts)) return `instruction ${index} has no such account`
  }
  return undefined
}

const nonceOf = ({ instructions: [first], staticAccounts }: Message): string | undefined => {
  if (first === undefined || staticAccounts[first.programAddressIndex] !== SYSTEM_PROGRAM) return undefined
  const data = Buffer.from(first.data ?? [])
  if (data.length < 4 || data.readUInt32LE() !== ADVANCE_NONCE) return undefined
  const [account] = first.accountIndices ?? []
  return account === undefined ? undefined : (staticAccounts[account] ?? "in a lookup table")
}

const isEmpty = (signature: Uint8Array | null | undefined): boolean =>
  signature === null || signature === undefined || signature.every((byte) => byte === 0)

const keyOf = (address: string): KeyObject => {
  const x = Buffer.from(getAddressEncoder().encode(address as never)).toString("base64url")
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } })
}

/** An address that is no point of the curve has no signatures, nor has a point of small order (OpenSSL 3.5). */
const isSignedBy = (address: string, signature: Uint8Array, message: Uint8Array): boolean => {
  try {
    return verify(null, message, keyOf(address), signature)
  } catch {
    return false
  }
}
