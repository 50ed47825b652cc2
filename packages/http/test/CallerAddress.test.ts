import { assert, describe, it } from "@effect/vitest"
import { callerAddresses, parseNetwork } from "../src/listener/CallerAddress.ts"

describe("The address by which callers are limited", () => {
  const direct = callerAddresses([])
  const proxied = callerAddresses(["10.0.0.0/8", "2001:db8:aaaa::/48", "203.0.113.7"])

  it("is that of the connection, whatever the headers say", () => {
    assert.strictEqual(direct.callerOf("198.51.100.4", "1.2.3.4"), "198.51.100.4")
    assert.strictEqual(direct.callerOf("::ffff:198.51.100.4", undefined), "198.51.100.4")
    assert.strictEqual(proxied.callerOf("198.51.100.4", "1.2.3.4"), "198.51.100.4")
  })

  it("is the /64 network of an IPv6 address in any notation", () => {
    const network = direct.callerOf("2001:db8:1:2:3:4:5:6", undefined)
    for (const same of ["2001:db8:1:2::", "2001:DB8:1:2:ffff::1", "2001:0db8:0001:0002::9%eth0"])
      assert.strictEqual(direct.callerOf(same, undefined), network)
    assert.notStrictEqual(direct.callerOf("2001:db8:1:3::", undefined), network)
    assert.strictEqual(direct.callerOf("::1", undefined), direct.callerOf("0:0:0:0:0:0:0:2", undefined))
    assert.strictEqual(direct.callerOf("64:ff9b::1.2.3.4", undefined), direct.callerOf("64:ff9b::2", undefined))
  })

  it("behind trusted proxies is the last forwarded address that is not a proxy", () => {
    for (const [peer, header, caller] of [
      ["10.1.2.3", "198.51.100.4", "198.51.100.4"],
      ["::ffff:10.1.2.3", "6.6.6.6, 198.51.100.4", "198.51.100.4"],
      ["2001:db8:aaaa::1", "6.6.6.6, 198.51.100.4 , 10.9.9.9,203.0.113.7", "198.51.100.4"],
      ["203.0.113.7", "10.4.4.4", "10.4.4.4"],
      ["203.0.113.7", undefined, "203.0.113.7"],
      ["203.0.113.7", "", "203.0.113.7"],
      ["10.1.2.3", "198.51.100.4:51234", "198.51.100.4"],
      ["10.1.2.3", "[2001:db8:1:2::9]:51234", "2001:db8:1:2::/64"],
      ["10.1.2.3", "[2001:db8:1:2::9]", "2001:db8:1:2::/64"],
      ["203.0.113.7", "198.51.100.4, unknown", "203.0.113.7"],
    ] as const)
      assert.strictEqual(proxied.callerOf(peer, header), caller, `${peer} ${header}`)
    assert.deepStrictEqual(
      ["10.255.0.1", "11.0.0.1", "2001:db8:aaaa:ffff::", "2001:db8:aaab::", "203.0.113.8", ""].map(proxied.isProxy),
      [true, false, true, false, false, false],
    )
  })

  it("accepts only valid networks as proxies", () => {
    assert.deepStrictEqual(
      ["10.0.0.0/8", "::1", "10.0.0.0/33", "10.0.0/8", "::/129", "a/8", "10.0.0.0/8/8", "10.0.0.0/", ""].map(
        (text) => parseNetwork(text) !== undefined,
      ),
      [true, true, false, false, false, false, false, false, false],
    )
  })
})
