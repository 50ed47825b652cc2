import { isIP } from "node:net"
import { isPublicAddress } from "./HostAddresses.ts"

const HTTPS_PORT = 443
/** Below it are ports of mail, shells and other services that a request must not reach. */
const FREE_PORT_MIN = 1_024

/** The IP address that a URL names instead of a host. */
export const literalAddress = ({ hostname }: URL): string | undefined => {
  const host = hostname.replace(/^\[|\]$/g, "")
  return isIP(host) === 0 ? undefined : host
}

/** What is wrong with a URL, without resolving its host; no request must be sent to it. */
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
