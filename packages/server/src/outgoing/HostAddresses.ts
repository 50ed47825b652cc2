import { lookup, Resolver } from "node:dns/promises"
import { isIP, type LookupFunction } from "node:net"
import ipaddr from "ipaddr.js"

/** An IP address of a host. */
export interface HostAddress {
  readonly address: string
  readonly family: 4 | 6
}

/** Global unicast (RFC 4291); whatever else ipaddr.js calls unicast is not assigned. */
const GLOBAL_V6 = ipaddr.parseCIDR("2000::/3")

/** Whether an address is public: not private, loopback, link-local, shared, translated, reserved or multicast. */
export const isPublicAddress = (address: string): boolean => {
  // With a zone (fe80::1%eth0) it belongs to one link.
  if (address.includes("%") || isIP(address) === 0) return false
  const parsed = ipaddr.parse(address)
  // Mapped and translated forms of IPv4 have no use but to get around checks.
  if (parsed.range() !== "unicast") return false
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_V6)
}

/** A host resolves to an address that is not public. */
export class RefusedAddress extends Error {
  override readonly name = "RefusedAddress"
}

/** A host has no address. */
export class HostNotFound extends Error {
  override readonly name = "HostNotFound"
}

/** The addresses of a host, none if there are none. */
export type ResolveHost = (host: string) => Promise<ReadonlyArray<HostAddress>>

/** The same, all of them checked. Rejects if it has none, or one that is refused. */
export type HostAddresses = ResolveHost

const RESOLVE_MILLIS = 2_000
const RESOLVE_TRIES = 2

/**
 * Asks name servers, by default those of the system. getaddrinfo would block a thread of the pool for as long as a slow name
 * server takes, and would also look into /etc/hosts and search domains, which name hosts of the own network.
 */
export const nameServers =
  (servers?: ReadonlyArray<string>): ResolveHost =>
  async (host) => {
    const resolver = new Resolver({ timeout: RESOLVE_MILLIS, tries: RESOLVE_TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
    return [
      ...(v4.status === "fulfilled" ? v4.value.map((address) => ({ address, family: 4 as const })) : []),
      ...(v6.status === "fulfilled" ? v6.value.map((address) => ({ address, family: 6 as const })) : []),
    ]
  }

const resolveAny: ResolveHost = async (host) =>
  (await lookup(host, { all: true })).map(({ address, family }) => ({ address, family: family === 6 ? 6 : 4 }))

/** Resolves hosts and refuses addresses that are not public, unless these are allowed. */
export const hostAddresses =
  (allowsPrivate: boolean, resolve: ResolveHost = allowsPrivate ? resolveAny : nameServers()): HostAddresses =>
  async (host) => {
    const addresses = await resolve(host)
    if (addresses.length === 0) throw new HostNotFound()
    // No public host has addresses of both kinds.
    if (!allowsPrivate && !addresses.every(({ address }) => isPublicAddress(address))) throw new RefusedAddress()
    return addresses
  }

/**
 * The lookup of a connection: what was checked is what it connects to, so that a name cannot change its address in
 * between.
 */
export const checkedLookup =
  (addresses: HostAddresses): LookupFunction =>
  (host, options, callback) => {
    addresses(host).then(
      (found) => {
        if (options.all === true) callback(null, found as Array<HostAddress>)
        else callback(null, found[0]!.address, found[0]!.family)
      },
      (error: NodeJS.ErrnoException) => callback(error, options.all === true ? [] : ""),
    )
  }
