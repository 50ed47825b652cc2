import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { Rate } from "@launch-registry/bridge/Upstream"
import { Redacted } from "effect"

/** Settings of the swap service for cross-chain swaps. */
export interface BridgeSettings {
  readonly url: string
  readonly apiKey?: Redacted.Redacted
  /** Public key that signs quotes, as `ed25519:<base58>`; that of 1Click by default. */
  readonly quoteKey?: string
  /** Request rates of all processes together; the server has defaults. */
  readonly rates?: { readonly watch: Rate; readonly quote: Rate }
}

const RATE = "INTENTS_REQUESTS_PER_SECOND"
const PER_SECOND_MAX = 1_000
/** Callers wait for quotes; the rest follows transfers and reports deposits. */
const SHARE_OF_QUOTES = 5 / 6

const readRates = (
  text: string,
  fault: (name: string, expected: string) => void,
): NonNullable<BridgeSettings["rates"]> => {
  const perSecond = /^\d{1,4}(?:\.\d{1,3})?$/.test(text) ? Number(text) : 0
  if (perSecond === 0 || perSecond > PER_SECOND_MAX) fault(RATE, `a number above 0, at most ${PER_SECOND_MAX}`)
  const [watched, quoted] = [perSecond * (1 - SHARE_OF_QUOTES), perSecond * SHARE_OF_QUOTES]
  // A bucket smaller than one token would never let a request through.
  return {
    watch: { perSecond: watched, burst: Math.max(1, watched) },
    quote: { perSecond: quoted, burst: Math.max(1, 2 * quoted) },
  }
}

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
  if (url === undefined) {
    for (const name of ["INTENTS_API_KEY", "INTENTS_QUOTE_KEY", RATE])
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
  if (quoteKey !== undefined && !isQuoteKey(quoteKey))
    fault("INTENTS_QUOTE_KEY", "a public key as ed25519:<32 bytes in base58>")
  const rate = values[RATE]
  return {
    url: url.replace(/\/+$/, ""),
    ...(apiKey !== undefined && { apiKey: Redacted.make(apiKey) }),
    ...(quoteKey !== undefined && { quoteKey }),
    ...(rate !== undefined && { rates: readRates(rate, fault) }),
  }
}
