import { BlockList, isIP, isIPv4 } from "node:net"

/** 16-bit groups of an IPv6 address that identify a subscriber, who has the whole /64. */
const SUBSCRIBER_GROUPS = 4

/** The IPv4 address behind an IPv4-mapped IPv6 address, as dual-stack sockets report it. */
const unmapped = (address: string): string => {
  const text = address.toLowerCase().replace(/%.*$/, "")
  return text.startsWith("::ffff:") && isIPv4(text.slice(7)) ? text.slice(7) : text
}

/** Some proxies include the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (hop: string): string => /^\[(.+)\](?::\d+)?$/.exec(hop)?.[1] ?? hop.replace(/^([\d.]+):\d+$/, "$1")

/** The eight groups of an IPv6 address, in the notation of URLs, which is one for each address. */
const groupsOf = (address: string): ReadonlyArray<string> => {
  const { hostname } = new URL(`http://[${address}]`)
  const [first = [], last = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":")))
  return [...first, ...Array.from({ length: 8 - first.length - last.length }, () => "0"), ...last]
}

/** The client behind an address: the address, or the /64 of an IPv6 address. */
const subscriberOf = (address: string): string =>
  isIPv4(address) ? address : `${groupsOf(address).slice(0, SUBSCRIBER_GROUPS).join(":")}::/64`

/** A network or an address of `TRUSTED_PROXIES`; `undefined` if invalid. */
export const parseNetwork = (text: string): readonly [address: string, bits: number] | undefined => {
  const [address = "", bits, ...rest] = text.split("/")
  const family = isIP(address)
  const bitsMax = family === 4 ? 32 : 128
  if (family === 0 || rest.length > 0 || (bits !== undefined && !/^\d{1,3}$/.test(bits))) return undefined
  const count = bits === undefined ? bitsMax : Number(bits)
  return count > bitsMax ? undefined : [address, count]
}

/** Resolves the client of a connection or request. */
export interface CallerAddresses {
  /** Whether the peer is a trusted proxy, whose `X-Forwarded-For` names the client. */
  readonly isProxy: (peer: string) => boolean
  /** The client to count. `forwardedFor` is trusted only from proxies. */
  readonly callerOf: (peer: string, forwardedFor: string | undefined) => string
}

/**
 * The address of a client is that of its connection, or behind trusted proxies the last address in `X-Forwarded-For`
 * that is not a proxy: earlier ones may be forged.
 */
export const callerAddresses = (trustedProxies: ReadonlyArray<string>): CallerAddresses => {
  const proxies = new BlockList()
  for (const text of trustedProxies) {
    const [address, bits] = parseNetwork(text)!
    proxies.addSubnet(address, bits, isIPv4(address) ? "ipv4" : "ipv6")
  }
  const isProxy = (peer: string) => {
    const address = unmapped(peer)
    return isIP(address) !== 0 && proxies.check(address, isIPv4(address) ? "ipv4" : "ipv6")
  }
  const callerOf = (peer: string, forwardedFor: string | undefined) => {
    let address = unmapped(peer)
    const hops = isProxy(address) ? (forwardedFor?.split(",") ?? []) : []
    for (const hop of hops.toReversed()) {
      const next = unmapped(withoutPort(hop.trim()))
      if (isIP(next) === 0) break
      address = next
      if (!isProxy(next)) break
    }
    return isIP(address) === 0 ? address : subscriberOf(address)
  }
  return { isProxy, callerOf }
}
