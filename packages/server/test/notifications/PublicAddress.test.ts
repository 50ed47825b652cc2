import { assert, describe, it } from "@effect/vitest"
import { isPublicAddress } from "../../src/notifications/HostAddresses.ts"

const PUBLIC = ["1.1.1.1", "8.8.8.8", "93.184.216.34", "172.15.0.1", "172.32.0.1", "100.63.255.255", "100.128.0.1"]
const PUBLIC_V6 = ["2606:4700::1111", "2a00:1450:4001:800::200e"]

/** Addresses that a message must never reach, by what they are. */
const REFUSED: Readonly<Record<string, ReadonlyArray<string>>> = {
  loopback: ["127.0.0.1", "127.255.255.254", "::1"],
  private: ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1"],
  "link-local, cloud metadata included": ["169.254.169.254", "169.254.0.1", "fe80::1", "fe80::1%eth0"],
  "unique local, metadata of AWS over IPv6 included": ["fc00::1", "fd00:ec2::254"],
  "shared by carriers": ["100.64.0.1", "100.127.255.255"],
  unspecified: ["0.0.0.0", "0.1.2.3", "::"],
  "mapped or compatible IPv4": ["::ffff:127.0.0.1", "::ffff:8.8.8.8", "::ffff:7f00:1", "::127.0.0.1", "::8.8.8.8"],
  "translated IPv4": ["64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "2002:7f00:1::", "2001::1"],
  multicast: ["224.0.0.1", "239.255.255.255", "ff02::1"],
  "reserved, documentation and benchmarks": [
    ...["192.0.0.1", "192.0.2.1", "198.18.0.1", "198.19.255.255", "198.51.100.1", "203.0.113.1", "240.0.0.1"],
    ...["255.255.255.255", "2001:db8::1", "2001:2::1", "3fff::1", "100::1", "5f00::1", "fec0::1", "4000::1"],
  ],
  "no address": ["", "localhost", "1.2.3", "1.2.3.4.5", "::g"],
}

describe("An address", () => {
  it("is public if it is global unicast", () => {
    for (const address of [...PUBLIC, ...PUBLIC_V6]) assert.isTrue(isPublicAddress(address), address)
  })

  for (const [kind, addresses] of Object.entries(REFUSED))
    it(`is not public if it is ${kind}`, () => {
      for (const address of addresses) assert.isFalse(isPublicAddress(address), address)
    })
})
