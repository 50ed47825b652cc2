import { Forbidden } from "@launch-registry/domain/http/AccessErrors"
import { isIP } from "node:net"
import { isLoopbackHost } from "@launch-registry/domain/text/WebUri"
import type { HttpServerRequest } from "effect/http"

/** Maximum length of a repeated origin or host. */
const ECHO_MAX = 200

/** What browsers say of a page of the site of the service, or of no page (Fetch Metadata). */
const OWN_SITE: ReadonlySet<string> = new Set(["same-origin", "same-site", "none"])

const hostOf = (url: string): string => URL.parse(url)?.hostname ?? ""

/** Whether no stranger makes this host resolve to the service: it is an address, or loopback by its name. */
const isFixed = (host: string): boolean => isLoopbackHost(host) || isIP(host.replace(/^\[(.*)\]$/, "$1")) !== 0

/**
 * Why a browser may not send this write: for a page of another site, or to a host that is not known to be of the service (DNS
 * rebinding). `writingOrigins` are the origins whose pages may, and their hosts are known. `Sec-Fetch-Site` says whose page it is to
 * https and loopback, `Origin` elsewhere and in older browsers; clients that are no browsers send neither.
 * A page of this machine is at home on it, whatever name and port both have.
 */
export const crossSiteWrite = (
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">,
  writingOrigins: ReadonlyArray<string> | "all",
): Forbidden | undefined => {
  const { host = "", origin = "" } = headers
  const site = headers["sec-fetch-site"]
  const isOfBrowser = site !== undefined || headers.origin !== undefined
  if (!isOfBrowser || writingOrigins === "all" || writingOrigins.includes(origin)) return undefined
  const [from, to] = [hostOf(origin), hostOf(`http://${host}`)]
  const isAtHome = site === undefined ? from !== "" && from === to : OWN_SITE.has(site)
  if (!isAtHome && !(isLoopbackHost(from) && isLoopbackHost(to)))
    return new Forbidden({
      reason: `pages of ${origin === "" ? "other sites" : origin.slice(0, ECHO_MAX)} may not write here; the operator allows origins with CORS_ORIGINS`,
    })
  const isKnown = isFixed(to) || writingOrigins.some((known) => hostOf(known) === to)
  return isKnown
    ? undefined
    : new Forbidden({
        reason: `pages may not write to ${host.slice(0, ECHO_MAX)}, which is not known as a host of this service; the operator names it with PUBLIC_URL or CORS_ORIGINS`,
      })
}
