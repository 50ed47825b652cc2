import { decodeBase58 } from "@launch-registry/solana/Base58"
import { API_KEY_HEADERS, type ApiKeyHeader } from "@launch-registry/bridge/intents/IntentsClient"
import type { BudgetRate } from "@launch-registry/bridge/UpstreamBudget"
import { Redacted } from "effect"

/** Settings of the swap service for cross-chain swaps. */
export interface BridgeSettings {
  readonly url: string
  readonly apiKey?: Redacted.Redacted
  /** Header of the API key; `Authorization` by default. */
  readonly apiKeyHeader?: ApiKeyHeader
  /** Public key that signs quotes, as `ed25519:<base58>`; that of 1Click by default. */
  readonly quoteKey?: string
  /** Request rates of all processes together; the server has defaults. */
  readonly rates?: { readonly watch?: BudgetRate; readonly quote?: BudgetRate }
}

/** Rate settings, and the burst as a multiple of the rate. */
const RATES = [
  ["watch", "INTENTS_REQUESTS_PER_SECOND", 1],
  ["quote", "INTENTS_QUOTES_PER_SECOND", 2],
] as const
const PER_SECOND_MAX = 1_000

const readRates = (
  values: Readonly<Record<string, string | undefined>>,
  fault: (name: string, expected: string) => void,
): NonNullable<BridgeSettings["rates"]> =>
  Object.fromEntries(
    RATES.flatMap(([budget, name, share]) => {
      const text = values[name]
      if (text === undefined) return []
      const perSecond = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
      if (perSecond === 0 || perSecond > PER_SECOND_MAX) {
        fault(name, `a number above 0, at most ${PER_SECOND_MAX}`)
        return []
      }
      // A bucket smaller than one token would never let a request through.
      return [[budget, { perSecond, burst: Math.max(1, share * perSecond) }]]
    }),
  )

const isQuoteKey = (text: string): boolean => {
  const [, key = ""] = /^ed25519:(.+)$/.exec(text) ?? []
  return decodeBase58(key)?.length === 32
}

/**
 * The settings of cross-chain swaps among `values`; faults are reported as name and expectation. `undefined` without
 * INTENTS_URL.
 */
export const readBridgeSettings = (
  values: Readonly<Record<string, string | undefined>>,
  fault: (name: string, expected: string) => void,
): BridgeSettings | undefined => {
  const { INTENTS_API_KEY: apiKey, INTENTS_QUOTE_KEY: quoteKey, INTENTS_URL: url } = values
  const header = values.INTENTS_API_KEY_HEADER
  const apiKeyHeader = API_KEY_HEADERS.find((name) => name.toLowerCase() === header?.toLowerCase())
  if (url === undefined) {
    for (const name of [
      "INTENTS_API_KEY",
      "INTENTS_API_KEY_HEADER",
      "INTENTS_QUOTE_KEY",
      ...RATES.map(([, rate]) => rate),
    ])
      if (values[name] !== undefined) fault(name, "INTENTS_URL to be set as well")
    return undefined
  }
  const parsed = URL.parse(url)
  if (!["https:", "http:"].includes(parsed?.protocol ?? ""))
    fault("INTENTS_URL", "a URL starting with https:// or http://")
  // Paths are appended as text. The URL is not a secret: the key has a setting of its own.
  else if (/[?#\s]/.test(url) || parsed!.username !== "" || parsed!.password !== "")
    fault("INTENTS_URL", "a URL without credentials, query and fragment")
  // An invalid header value would fail every request with an error that contains it.
  if (apiKey !== undefined && !/^[\x21-\x7e]+$/.test(apiKey))
    fault("INTENTS_API_KEY", "visible ASCII characters without spaces")
  if (header !== undefined && apiKeyHeader === undefined) fault("INTENTS_API_KEY_HEADER", API_KEY_HEADERS.join(" or "))
  if (quoteKey !== undefined && !isQuoteKey(quoteKey))
    fault("INTENTS_QUOTE_KEY", "a public key as ed25519:<32 bytes in base58>")
  const rates = readRates(values, fault)
  return {
    url: url.replace(/\/+$/, ""),
    ...(apiKey !== undefined && { apiKey: Redacted.make(apiKey) }),
    ...(apiKeyHeader !== undefined && { apiKeyHeader }),
    ...(quoteKey !== undefined && { quoteKey }),
    ...(Object.keys(rates).length > 0 && { rates }),
  }
}
