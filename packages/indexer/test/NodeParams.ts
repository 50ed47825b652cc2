import { decodeBase58 } from "@launch-registry/domain/solana/Base58"

/** A JSON-RPC error as nodes send it. */
export class NodeError extends Error {
  readonly code: number
  readonly data: object | undefined

  constructor(code: number, message: string, data?: object) {
    super(message)
    this.code = code
    this.data = data
  }
}

export const invalidParams = (message: string) => new NodeError(-32602, message)

/** Nodes accept `null` for omitted parameters. */
const optional = <A>(value: unknown, read: (value: unknown) => A): A | undefined =>
  value === undefined || value === null ? undefined : read(value)

export const slotParam = (value: unknown): number => {
  if (!Number.isSafeInteger(value) || (value as number) < 0)
    throw invalidParams(`Invalid params: invalid type: ${JSON.stringify(value)}, expected u64.`)
  return value as number
}

const base58Param = (value: unknown, bytes: number): string => {
  if (typeof value !== "string") throw invalidParams("Invalid params: expected a string.")
  if (decodeBase58(value)?.length !== bytes) throw invalidParams("Invalid param: WrongSize")
  return value
}

export const addressParam = (value: unknown): string => base58Param(value, 32)
export const signatureParam = (value: unknown): string => base58Param(value, 64)

const objectParam = (value: unknown): Readonly<Record<string, unknown>> => {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalidParams("Invalid params: expected an object.")
  return value as Readonly<Record<string, unknown>>
}

const COMMITMENTS = ["processed", "confirmed", "finalized"] as const
type NodeCommitment = (typeof COMMITMENTS)[number]

const commitmentParam = (value: unknown): NodeCommitment => {
  const commitment = COMMITMENTS.find((one) => one === value)
  if (commitment === undefined) throw invalidParams(`Invalid params: unknown variant ${JSON.stringify(value)}.`)
  return commitment
}

/** Options of nearly all methods; by default finalized. */
export const contextOf = (options: unknown) => {
  const { commitment, minContextSlot } = optional(options, objectParam) ?? {}
  return {
    commitment: optional(commitment, commitmentParam) ?? "finalized",
    minContextSlot: optional(minContextSlot, slotParam),
  }
}

/** Processed blocks have no history. */
const historyContextOf = (options: unknown) => {
  const context = contextOf(options)
  if (context.commitment === "processed") throw invalidParams("Method does not support commitment below `confirmed`")
  return { ...context, commitment: context.commitment }
}

const LIMIT_MAX = 1_000

export const listingParams = ([address, options]: ReadonlyArray<unknown>) => {
  const { before, limit, until } = optional(options, objectParam) ?? {}
  const most = optional(limit, slotParam) ?? LIMIT_MAX
  if (most < 1 || most > LIMIT_MAX) throw invalidParams(`Invalid limit; max ${LIMIT_MAX}`)
  return {
    ...historyContextOf(options),
    address: addressParam(address),
    before: optional(before, signatureParam),
    until: optional(until, signatureParam),
    limit: most,
  }
}

/** Only the JSON encoding of transactions is supported. */
export const transactionParams = ([signature, options]: ReadonlyArray<unknown>) => {
  const { encoding = "json", maxSupportedTransactionVersion } = optional(options, objectParam) ?? {}
  if (encoding !== "json") throw invalidParams(`encoding ${JSON.stringify(encoding)} is not served here`)
  return {
    ...historyContextOf(options),
    signature: signatureParam(signature),
    versionMax: optional(maxSupportedTransactionVersion, slotParam),
  }
}

/** Likewise the signatures of a block. */
export const blockParams = ([slot, options]: ReadonlyArray<unknown>) => {
  const { rewards, transactionDetails } = optional(options, objectParam) ?? {}
  if (transactionDetails !== "signatures")
    throw invalidParams(`transactionDetails ${JSON.stringify(transactionDetails)} are not served here`)
  if (typeof (rewards ?? true) !== "boolean") throw invalidParams("Invalid params: expected a boolean.")
  return { ...historyContextOf(options), slot: slotParam(slot) }
}

const STATUSES_MAX = 256

export const statusParams = ([signatures, options]: ReadonlyArray<unknown>) => {
  const { searchTransactionHistory } = optional(options, objectParam) ?? {}
  if (!Array.isArray(signatures)) throw invalidParams("Invalid params: expected a sequence.")
  if (signatures.length > STATUSES_MAX) throw invalidParams(`Too many inputs provided; max ${STATUSES_MAX}`)
  return { signatures: signatures.map(signatureParam), searchesHistory: searchTransactionHistory === true }
}
