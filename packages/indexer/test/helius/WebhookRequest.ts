const TYPES = ["enhanced", "raw", "discord", "enhancedDevnet", "rawDevnet", "discordDevnet"]
const STATUSES = ["all", "success", "failed"]
const ENCODINGS = ["json", "jsonParsed", "base58", "base64"]
const TRANSACTION_TYPES = ["ANY", "UNKNOWN", "SWAP", "TRANSFER", "CREATE_POOL"]
const ADDRESSES_MAX = 100_000
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Why Helius would answer a `CreateWebhookRequest` with 400 (openapi/webhooks.yaml); `undefined` when it accepts it. */
export const faultOfWebhook = (body: unknown): string | undefined => {
  if (typeof body !== "object" || body === null) return "no object"
  const { accountAddresses, authHeader, encoding, transactionTypes, txnStatus, webhookType, webhookURL, ...more } =
    body as Record<string, unknown>
  const unknown = Object.keys(more)[0]
  if (unknown !== undefined) return `unknown field ${unknown}`
  if (typeof webhookURL !== "string" || !/^https?:$/.test(URL.parse(webhookURL)?.protocol ?? "")) return "webhookURL"
  // Without transaction types it answers 400 (helius-labs/core-ai, f33486f).
  if (!isList(transactionTypes, (one) => TRANSACTION_TYPES.includes(one)) || transactionTypes.length === 0)
    return "transactionTypes"
  if (!isList(accountAddresses, isAddress) || accountAddresses.length > ADDRESSES_MAX) return "accountAddresses"
  if (!TYPES.includes(webhookType as string)) return "webhookType"
  if (txnStatus !== undefined && !STATUSES.includes(txnStatus as string)) return "txnStatus"
  if (encoding !== undefined && !ENCODINGS.includes(encoding as string)) return "encoding"
  return authHeader === undefined || typeof authHeader === "string" ? undefined : "authHeader"
}

const isList = (value: unknown, holds: (one: string) => boolean): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((one) => typeof one === "string" && holds(one))

/** Whether a text is 32 bytes in base58. */
export const isAddress = (text: string): boolean => {
  let value = 0n
  for (const digit of text) {
    const index = ALPHABET.indexOf(digit)
    if (index < 0) return false
    value = value * 58n + BigInt(index)
  }
  const zeros = /^1*/.exec(text)![0].length
  return zeros + (value === 0n ? 0 : Math.ceil(value.toString(16).length / 2)) === 32
}
