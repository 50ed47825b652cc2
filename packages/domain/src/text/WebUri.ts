import { Schema } from "effect"

const LENGTH_MAX = 2048

/** Whether `host` can only mean the machine itself. */
const isLoopbackHost = (host: string): boolean =>
  host === "localhost" || host === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(host)

/**
 * Whether `text` is an absolute https or ipfs URI without credentials. http is accepted for loopback alone: the
 * gateway of the embedded default lives there.
 */
export const isWebUri = (text: string): boolean => {
  if (text.length > LENGTH_MAX || /[\s\u0000-\u001f]/.test(text)) return false
  if (text.startsWith("ipfs://")) return /^ipfs:\/\/[A-Za-z0-9]+(\/[^\s]*)?$/.test(text)
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "") return false
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname))
}

/** A link that a page may show: https or ipfs, never fetched by the service. */
export const WebUri = Schema.String.check(
  Schema.makeFilter((text: string) => isWebUri(text) || "expected an https:// or ipfs:// URI without credentials"),
  Schema.isMaxLength(LENGTH_MAX),
).annotate({ identifier: "WebUri", description: "https or ipfs URI; http for loopback only" })

/** A {@link WebUri} or the empty string, which forms send for a link that was left out. */
export const OptionalWebUri = Schema.String.check(
  Schema.makeFilter(
    (text: string) => text === "" || isWebUri(text) || "expected an https:// or ipfs:// URI without credentials",
  ),
  Schema.isMaxLength(LENGTH_MAX),
)
