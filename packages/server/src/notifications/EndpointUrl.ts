import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { isIP } from "node:net"
import { isPlainlyWritten } from "@launch-registry/domain/text/PlainlyWritten"
import { Effect } from "effect"
import { type HostAddresses, isPublicAddress } from "./HostAddresses.ts"

const HTTPS_PORT = 443
/** Below it are ports of mail, shells and other services that a request must not reach. */
const FREE_PORT_MIN = 1_024

/** The IP address that a URL names instead of a host. */
export const literalAddress = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[|\]$/g, "")
  return isIP(host) === 0 ? undefined : host
}

/** What is wrong with a URL, without resolving its host; a message must not be sent to it. */
export const faultOfUrl = (url: URL | null, allowsPrivate: boolean): string | undefined => {
  if (url === null) return "it is not a URL"
  if (url.username !== "" || url.password !== "") return "it has credentials"
  if (url.hash !== "" || url.href.endsWith("#")) return "it has a fragment"
  if (url.protocol !== "https:" && !(allowsPrivate && url.protocol === "http:"))
    return "it does not start with https://"
  if (allowsPrivate) return undefined
  const port = url.port === "" ? HTTPS_PORT : Number(url.port)
  if (port !== HTTPS_PORT && port < FREE_PORT_MIN) return `its port is neither ${HTTPS_PORT} nor from ${FREE_PORT_MIN}`
  const address = literalAddress(url)
  return address !== undefined && !isPublicAddress(address) ? "its address is not public" : undefined
}

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
