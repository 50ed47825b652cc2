import { Schema } from "effect"

const LENGTH_MAX = 2048

/** Whether `host` is a loopback address. */
const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)

/**
 * Whether `text` is an absolute https or ipfs URI without credentials. http is accepted for loopback only, for the
 * gateway in local mode.
 */
export const isWebUri = (text: string): boolean => {
  if (text.length > LENGTH_MAX || /[\s\u0000-\u001f]/.test(text)) return false
  if (text.startsWith("ipfs://")) return /^ipfs:\/\/[A-Za-z0-9]+(\/[^\s]*)?$/.test(text)
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname))
}

/** A link to display: https or ipfs. The service never fetches it. */
export const WebUri = Schema.String.check(
  Schema.makeFilter((text: string) => isWebUri(text) || "expected an https:// or ipfs:// URI without credentials"),
  Schema.isMaxLength(LENGTH_MAX),
).annotate({ identifier: "WebUri", description: "https or ipfs URI; http for loopback only" })

/** A {@link WebUri}, or the empty string, which forms send for an absent link. */
export const OptionalWebUri = Schema.String.check(
  Schema.makeFilter(
    (text: string) => text === "" || isWebUri(text) || "expected an https:// or ipfs:// URI without credentials",
  ),
  Schema.isMaxLength(LENGTH_MAX),
)
