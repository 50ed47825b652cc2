import { isIP } from "node:net"
import ipaddr from "ipaddr.js"

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
