import { createHash, createPublicKey, type KeyObject, verify } from "node:crypto"
import { canonicalJson } from "@launch-registry/http/requests/CanonicalJson"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { isObject } from "./UpstreamText.ts"

/** Of the production service, as SDK 0.1.25 has it. */
export const MANAGER_KEY = "ed25519:reYaWhvwu8Jzo3WUM3zhn6VrhuMEF4eADL17qtRVifc"

const PREFIX = "ed25519:"
const KEY_BYTES = 32
const SIGNATURE_BYTES = 64

/** Signed as they are. */
const REQUEST_FIELDS = [
  ...["dry", "swapType", "slippageTolerance", "originAsset", "depositType", "destinationAsset", "amount"],
  ...["refundTo", "refundType", "recipient", "recipientType", "deadline"],
]
/** Signed when present: empty, null, 0 and false count as missing. */
const VIRTUAL_FIELDS = ["virtualChainRecipient", "virtualChainRefundRecipient", "customRecipientMsg"]
const OPTIONAL_REQUEST_FIELDS = ["quoteWaitingTimeMs", "referral", ...VIRTUAL_FIELDS]
const QUOTE_FIELDS = [
  ...["amountIn", "amountInFormatted", "amountInUsd", "minAmountIn"],
  ...["amountOut", "amountOutFormatted", "amountOutUsd", "minAmountOut"],
]
/** Only in quotes that are not dry, and only when present. */
const OPTIONAL_QUOTE_FIELDS = [
  ...["depositAddress", "depositMemo", "deadline", "timeWhenInactive", "timeEstimate", "refundFee", "withdrawFee"],
  ...VIRTUAL_FIELDS,
]

type Json = Readonly<Record<string, unknown>>

const taken = (from: Json, names: ReadonlyArray<string>): Array<[string, unknown]> =>
  names.map((name) => [name, Object.hasOwn(from, name) ? from[name] : undefined])
const takenIfSet = (from: Json, names: ReadonlyArray<string>): Array<[string, unknown]> =>
  taken(from, names).map(([name, value]) => [name, value ? value : undefined])

/**
 * The text that the service signs for a quote response: base58 of the SHA-256 of request, quote and timestamp in one
 * object. `undefined` when it is not a quote response. Fields of the quote replace those of the request with the same
 * name, so in a quote that is not dry **the deadline of the request is not signed**; neither are appFees, depositMode,
 * sessionId and correlationId. QuoteCheck compares those.
 */
export const quoteMessage = (response: unknown): string | undefined => {
  if (!isObject(response) || !isObject(response.quoteRequest) || !isObject(response.quote)) return undefined
  const { quote, quoteRequest, timestamp } = response
  const isDry = Boolean(quoteRequest.dry)
  const signed = Object.fromEntries([
    ...taken(quoteRequest, REQUEST_FIELDS),
    ...takenIfSet(quoteRequest, OPTIONAL_REQUEST_FIELDS),
    ...taken(quote, QUOTE_FIELDS),
    ...(isDry ? [] : takenIfSet(quote, OPTIONAL_QUOTE_FIELDS)),
    ["timestamp", timestamp],
  ])
  return encodeBase58(createHash("sha256").update(canonicalJson(signed)).digest())
}

const bytesOf = (text: unknown, length: number): Uint8Array | undefined => {
  // Decoding takes time by the square of the length; a signature has at most 88 characters.
  if (typeof text !== "string" || text.length > 200) return undefined
  const bytes = decodeBase58(text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text)
  return bytes?.length === length ? bytes : undefined
}

/** Parses a key written as `ed25519:` and base58; `undefined` when it is none. */
export const publicKeyOf = (text: string): KeyObject | undefined => {
  const bytes = bytesOf(text, KEY_BYTES)
  if (bytes === undefined) return undefined
  const x = Buffer.from(bytes).toString("base64url")
  return createPublicKey({ format: "jwk", key: { kty: "OKP", crv: "Ed25519", x } })
}

const managerKey = publicKeyOf(MANAGER_KEY)

const parsed = (raw: string): unknown => {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/**
 * Whether `raw`, the unparsed body of a quote response, was signed by the owner of `publicKey`. False for another key,
 * a missing signature, or a body that is not a quote.
 */
export const isQuoteSigned = (raw: string, publicKey: string = MANAGER_KEY): boolean => {
  const response = parsed(raw)
  const message = quoteMessage(response)
  const key = publicKey === MANAGER_KEY ? managerKey : publicKeyOf(publicKey)
  const signature = isObject(response) ? bytesOf(response.signature, SIGNATURE_BYTES) : undefined
  if (message === undefined || key === undefined || signature === undefined) return false
  return verify(null, Buffer.from(message), key, signature)
}
