import { createPublicKey, type KeyObject, verify } from "node:crypto"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import {
  getAddressEncoder,
  getCompiledTransactionMessageEncoder,
  getTransactionDecoder,
  getTransactionEncoder,
  getTransactionSizeLimit,
  type ReadonlyUint8Array,
} from "@solana/kit"
import { Result } from "effect"
import { SYSTEM_PROGRAM } from "../accounts/Programs.ts"
import { readMessage, type TransactionMessage } from "./TransactionMessage.ts"

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

/** The longest transaction, of version 1. */
const BYTES_MAX = 4_096

/** What a message of version 1 may have (SIMD-0385); 64 accounts until SIMD-0596 is active, which nodes know. */
const [SIGNERS_MAX, INSTRUCTIONS_MAX, ACCOUNTS_MAX] = [12, 64, 96]
/** Bits of its configuration that have a meaning; the highest one is that of the heap size, whose value comes last. */
const [KNOWN_BITS, HEAP_BIT] = [0b1_1111, 0b1_0000]
const HEAP_UNIT = 1_024

/** Instruction `AdvanceNonceAccount` of the System program, a u32. */
const ADVANCE_NONCE = 4

const malformed = (reason: string): Result.Result<never, SignedFault> => Result.fail({ _tag: "Malformed", reason })

/** Reads and checks a signed transaction of any version, as a node does before it looks at the chain. */
export const readSigned = (bytes: Uint8Array): Result.Result<SignedTransaction, SignedFault> => {
  const decoded = bytes.length > BYTES_MAX ? undefined : decode(bytes)
  const bytesMax = decoded?.bytesMax ?? BYTES_MAX
  if (bytes.length > bytesMax)
    return malformed(`it has ${bytes.length} bytes, more than the ${bytesMax} of its version`)
  if (decoded === undefined) return malformed("it cannot be decoded as legacy, version 0 or version 1")
  const { message, messageBytes, signatures } = decoded
  const reason = unsanitary(message) ?? beyondVersion1(message)
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
  readonly message: TransactionMessage
  readonly bytesMax: number
  readonly messageBytes: Uint8Array
  readonly signatures: Readonly<Record<string, Uint8Array | null>>
}

/** Undefined where the bytes have another form, or more follow. */
const decode = (bytes: Uint8Array): Decoded | undefined => {
  try {
    const transaction = getTransactionDecoder().decode(bytes)
    const messageBytes = Uint8Array.from(transaction.messageBytes)
    const message = readMessage(messageBytes)
    const isWhole =
      isSame(getTransactionEncoder().encode(transaction), bytes) &&
      isSame(getCompiledTransactionMessageEncoder().encode(message.compiled), messageBytes)
    const { signatures } = transaction
    return isWhole ? { message, messageBytes, signatures, bytesMax: getTransactionSizeLimit(transaction) } : undefined
  } catch {
    return undefined
  }
}

const isSame = (some: ReadonlyUint8Array, other: Uint8Array): boolean =>
  Buffer.compare(Uint8Array.from(some), other) === 0

/** What every node refuses about the indices of a message (agave, `SanitizedMessage`). */
const unsanitary = (message: TransactionMessage): string | undefined => {
  const { header, instructions, lookups, staticAccounts } = message
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
  for (const [index, { accountIndices, programAddressIndex }] of instructions.entries()) {
    if (programAddressIndex === 0 || programAddressIndex >= staticAccounts.length)
      return `instruction ${index} has no program`
    if (accountIndices.some((account) => account >= accounts)) return `instruction ${index} has no such account`
  }
  return undefined
}

/** What a node refuses of a message of version 1 besides (solana-message, `v1::Message::validate`). */
const beyondVersion1 = ({ compiled, header, instructions, staticAccounts }: TransactionMessage): string | undefined => {
  if (compiled.version !== 1) return undefined
  const { configMask, configValues } = compiled
  if (header.numSignerAccounts > SIGNERS_MAX) return `it has more than ${SIGNERS_MAX} signers`
  if (instructions.length > INSTRUCTIONS_MAX) return `it has more than ${INSTRUCTIONS_MAX} instructions`
  if (staticAccounts.length > ACCOUNTS_MAX) return `it has more than ${ACCOUNTS_MAX} accounts`
  if ((configMask & ~KNOWN_BITS) !== 0) return "its configuration has a part that is not known"
  const heapSize = (configMask & HEAP_BIT) === 0 ? 0 : Number(configValues.at(-1)!.value)
  return heapSize % HEAP_UNIT === 0 ? undefined : `its heap size is no multiple of ${HEAP_UNIT} bytes`
}

const nonceOf = ({ instructions: [first], staticAccounts }: TransactionMessage): string | undefined => {
  if (first === undefined || staticAccounts[first.programAddressIndex] !== SYSTEM_PROGRAM) return undefined
  const data = Buffer.from(first.data)
  if (data.length < 4 || data.readUInt32LE() !== ADVANCE_NONCE) return undefined
  const [account] = first.accountIndices
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
