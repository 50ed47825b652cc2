import { isWebUri } from "@launch-registry/domain/text/WebUri"
import type { ResolveHost } from "../outgoing/HostAddresses.ts"
import { faultOfUrl, literalAddress } from "../outgoing/OutgoingUrl.ts"

/** How metadata documents are fetched that are stored elsewhere. */
export interface MetadataOptions {
  /** Content of IPFS is read at `<gateway>/<cid>`, at another one with each attempt. */
  readonly gateways: ReadonlyArray<string>
  /** Whether http to loopback, any port and addresses that are not public are allowed. */
  readonly allowsPrivate: boolean
  /** Deadline of an attempt, 10 s by default. */
  readonly timeoutMillis?: number
  /** How long a request takes a place at its site at least, a second by default. */
  readonly paceMillis?: number
  /** Name servers by default. */
  readonly resolveHost?: ResolveHost
}

/** Where a document is. */
export interface DocumentPlace {
  /** By what requests are bounded: a domain with all hosts below it, or IPFS. */
  readonly site: string
  /** Asked in turn, one with each attempt. */
  readonly urls: ReadonlyArray<string>
}

/** The site of what is at gateways. */
export const IPFS_SITE = "ipfs"

/** A CID of version 0, or of version 1 in base32, with the path below it: without encoded slashes, by which a proxy would leave it. */
const CONTENT = /(?:Qm[1-9A-HJ-NP-Za-km-z]{44}|b[a-z2-7]{58,120})(?:\/(?:(?!%2[fF]|%5[cC])[^?#])*)?/.source
const IPFS_URI = new RegExp(`^ipfs://(?:ipfs/)?(${CONTENT})$`)
const GATEWAY_URL = new RegExp(`^https://[^/?#]+/ipfs/(${CONTENT})(?:\\?|$)`)

/** Under which names are registered in countries. */
const SECOND_LEVEL = /^(ac|co|com|edu|gov|ne|net|or|org)$/

/** The registered domain of a host: whoever has that has any number of hosts. */
const siteOf = (url: URL): string => {
  const labels = url.hostname.replace(/\.$/, "").split(".")
  const isBelowCountry = labels.at(-1)?.length === 2 && SECOND_LEVEL.test(labels.at(-2) ?? "")
  return literalAddress(url) ?? labels.slice(isBelowCountry ? -3 : -2).join(".")
}

/** Whether a document may be fetched there: public hosts have names, and answer at the port of https. */
export const isFetchable = (url: URL | null, allowsPrivate: boolean): url is URL =>
  faultOfUrl(url, allowsPrivate) === undefined &&
  (allowsPrivate || (url!.port === "" && literalAddress(url!) === undefined))

/** Where the document of a URI is that somebody chose; undefined if it cannot be fetched. */
export const documentPlace = (
  uri: string,
  { allowsPrivate, gateways }: Pick<MetadataOptions, "allowsPrivate" | "gateways">,
): DocumentPlace | undefined => {
  if (!isWebUri(uri, allowsPrivate)) return undefined
  const atGateways = (content: string | undefined) =>
    content === undefined ? [] : gateways.map((gateway) => `${gateway}/${content}`)
  if (uri.startsWith("ipfs://")) {
    const urls = atGateways(IPFS_URI.exec(uri)?.[1])
    return urls.length === 0 ? undefined : { site: IPFS_SITE, urls }
  }
  const url = URL.parse(uri)
  if (!isFetchable(url, allowsPrivate)) return undefined
  // Gateways come and go; what they had is at others.
  return { site: siteOf(url), urls: [uri, ...atGateways(GATEWAY_URL.exec(uri)?.[1])] }
}
