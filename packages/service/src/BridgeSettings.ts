import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Redacted } from "effect"

/** Where cross-chain swaps are asked for. */
export interface BridgeSettings {
  readonly url: string
  readonly apiKey?: Redacted.Redacted
  /** Public key that quotes are signed with, as `ed25519:<base58>`; absent for that of 1Click. */
  readonly quoteKey?: string
}

const isQuoteKey = (text: string): boolean => {
  const [, key = ""] = /^ed25519:(.+)$/.exec(text) ?? []
  return decodeBase58(key)?.length === 32
}

/** The settings of bridging among `values`, or faults: name and what is expected. `undefined` without INTENTS_URL. */
export const readBridgeSettings = (
  values: Readonly<Record<string, string | undefined>>,
  fault: (name: string, expected: string) => void,
): BridgeSettings | undefined => {
  const { INTENTS_API_KEY: apiKey, INTENTS_QUOTE_KEY: quoteKey, INTENTS_URL: url } = values
  if (url === undefined) {
    for (const name of ["INTENTS_API_KEY", "INTENTS_QUOTE_KEY"])
      if (values[name] !== undefined) fault(name, "INTENTS_URL beside it")
    return undefined
  }
  if (!["https:", "http:"].includes(URL.parse(url)?.protocol ?? ""))
    fault("INTENTS_URL", "a URL starting with https:// or http://")
  if (quoteKey !== undefined && !isQuoteKey(quoteKey))
    fault("INTENTS_QUOTE_KEY", "a public key as ed25519:<32 bytes in base58>")
  return {
    url: url.replace(/\/+$/, ""),
    ...(apiKey !== undefined && { apiKey: Redacted.make(apiKey) }),
    ...(quoteKey !== undefined && { quoteKey }),
  }
}
