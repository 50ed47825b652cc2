import type { HttpServerRequest } from "effect/http"

/** Whether `hostname` is this machine, as a URL has it. */
const isLoopback = (hostname: string): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** What browsers say of a page of the site of the service, or of no page (Fetch Metadata). */
const OWN_SITE: ReadonlySet<string> = new Set(["same-origin", "same-site", "none"])

/**
 * The origin of the page of another site that a browser sent a request for; undefined if there is no such page. `Sec-Fetch-Site` says it
 * to https and loopback, `Origin` elsewhere and in older browsers; clients that are no browsers send neither. Empty if it is unknown.
 * A page of this machine is at home on it, whatever name and port both have.
 */
export const crossSiteOrigin = ({
  headers,
}: Pick<HttpServerRequest.HttpServerRequest, "headers">): string | undefined => {
  const { host = "", origin } = headers
  const site = headers["sec-fetch-site"]
  if (site === undefined ? origin === undefined : OWN_SITE.has(site)) return undefined
  if (origin === undefined) return ""
  const [from, to] = [URL.parse(origin)?.hostname ?? "", URL.parse(`http://${host}`)?.hostname ?? ""]
  const isAtHome = (isLoopback(from) && isLoopback(to)) || (site === undefined && from !== "" && from === to)
  return isAtHome ? undefined : origin
}
