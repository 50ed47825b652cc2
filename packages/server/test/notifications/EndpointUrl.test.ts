import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkedUrl } from "../../src/notifications/EndpointUrl.ts"
import { hostAddresses } from "../../src/outgoing/HostAddresses.ts"
import { faultOfUrl } from "../../src/outgoing/OutgoingUrl.ts"

const REFUSED: ReadonlyArray<readonly [url: string, reason: RegExp]> = [
  ["http://dapp.example/", /https/],
  ["ftp://dapp.example/", /https/],
  ["file:///etc/passwd", /https/],
  ["javascript:alert(1)", /https/],
  ["https://user@dapp.example/", /credentials/],
  ["https://:password@dapp.example/", /credentials/],
  ["https://dapp.example/#part", /fragment/],
  ["https://dapp.example/#", /fragment/],
  ["https://dapp.example:22/", /port/],
  ["https://dapp.example:25/", /port/],
  ["https://dapp.example:80/", /port/],
  ["https://127.0.0.1/", /not public/],
  // Other notations of the same.
  ["https://2130706433/", /not public/],
  ["https://0x7f.1/", /not public/],
  ["https://0177.0.0.1/", /not public/],
  ["https://127.1/", /not public/],
  ["https://[::1]/", /not public/],
  ["https://[::ffff:127.0.0.1]/", /not public/],
  ["https://[::ffff:a9fe:a9fe]/", /not public/],
  ["https://169.254.169.254/latest/meta-data/", /not public/],
  ["https://１２７.0.0.1/", /not public/],
  ["https://0/", /not public/],
]

const resolving = (...addresses: ReadonlyArray<string>) =>
  hostAddresses(false, () => Promise.resolve(addresses.map((address) => ({ address, family: 4 as const }))))

const refusalOf = (url: string, ...addresses: ReadonlyArray<string>) =>
  Effect.map(Effect.flip(checkedUrl(url, false, resolving(...addresses))), ({ issues }) => issues[0]!.message)

describe("The URL of an endpoint", () => {
  it("is refused for its form, and for an address that it names in any notation", () => {
    for (const [url, reason] of REFUSED) assert.match(faultOfUrl(URL.parse(url), false) ?? "accepted", reason, url)
    for (const url of ["https://dapp.example/hook?token=1", "https://dapp.example:8443/", "https://1.1.1.1/"])
      assert.isUndefined(faultOfUrl(URL.parse(url), false), url)
  })

  it.effect("is refused for what its host resolves to, one address among public ones included", () =>
    Effect.gen(function* () {
      const url = "https://dapp.example/hook"
      assert.strictEqual(yield* checkedUrl(url, false, resolving("8.8.8.8")), url)
      assert.match(yield* refusalOf(url, "10.0.0.1"), /not public/)
      assert.match(yield* refusalOf(url, "8.8.8.8", "169.254.169.254"), /not public/)
      assert.match(yield* refusalOf(url), /does not resolve/)
    }),
  )

  it.effect("has printable ASCII characters alone, and is stored in its normal form", () =>
    Effect.gen(function* () {
      for (const url of ["https://dapp.example/\r\nx", "https://dapp.example/ x", "https://dapp.example/ü", "dapp", ""])
        assert.match(yield* refusalOf(url, "8.8.8.8"), /not a URL/, JSON.stringify(url))
      const url = yield* checkedUrl("HTTPS://DAPP.example:443/hook", false, resolving("8.8.8.8"))
      assert.strictEqual(url, "https://dapp.example/hook")
      for (const elsewhere of [
        ...[
          "https:dapp.example",
          "https:\\\\dapp.example",
          "https://other.example\\dapp.example/",
          "https://0x08080808/",
        ],
        ...["https://dapp.example/a/../hook", "https://dapp.example/%2e%2e/hook", "https:///dapp.example/"],
      ])
        assert.match(yield* refusalOf(elsewhere, "8.8.8.8"), /leads elsewhere/, elsewhere)
    }),
  )

  it("may be http on any port and address where private addresses are allowed, never with credentials", () => {
    for (const url of ["http://127.0.0.1:80/", "http://receiver:22/", "https://10.0.0.1/"])
      assert.isUndefined(faultOfUrl(URL.parse(url), true), url)
    assert.match(faultOfUrl(URL.parse("http://user@receiver/"), true)!, /credentials/)
  })
})
