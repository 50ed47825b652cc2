import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { isPlainlyWritten } from "@launch-registry/domain/text/PlainlyWritten"
import { Effect } from "effect"
import type { HostAddresses } from "../outgoing/HostAddresses.ts"
import { faultOfUrl, literalAddress } from "../outgoing/OutgoingUrl.ts"

const refused = (reason: string) => Effect.fail(InvalidRequest.at("body.url", reason))

/** The URL in its normal form, once its host resolves to addresses that messages may be sent to. */
export const checkedUrl = Effect.fnUntraced(function* (text: string, allowsPrivate: boolean, addresses: HostAddresses) {
  const url = /^[\x21-\x7e]+$/.test(text) ? URL.parse(text) : null
  const fault = faultOfUrl(url, allowsPrivate)
  if (url === null || fault !== undefined) return yield* refused(fault ?? "it is not a URL")
  if (!isPlainlyWritten(text)) return yield* refused("it leads elsewhere than it says")
  if (literalAddress(url) === undefined) {
    const found = yield* Effect.promise(() => addresses(url.hostname).catch((error: Error) => error))
    if (found instanceof Error)
      return yield* refused(found.name === "RefusedAddress" ? "its address is not public" : "its host does not resolve")
  }
  return url.href
})
