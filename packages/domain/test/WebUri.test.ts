import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { MetadataDraft } from "../src/ipfs/IpfsApi.ts"
import { LaunchMetadata } from "../src/launch/LaunchRequests.ts"
import { isWebUri, LoopbackLinks } from "../src/text/WebUri.ts"
import { TokenChange } from "../src/tokens/TokenDraft.ts"

const TAKEN = [
  "https://example.com",
  "https://example.com/a?b#c",
  "HTTPS://Example.COM/Path",
  "https://example.com:443/a",
  "https://example.com:8443",
  "https://xn--bcher-kva.example/",
  "https://1.1.1.1/",
  "https://x.com/@doge?at=a@b",
  "https://t.me/a..b/.../.c",
  "https://zh.wikipedia.org/wiki/\u6bd4\u7279\u5e01",
  "https://example.com/a%20b?back=../y#../",
  "ipfs://bafy",
  "ipfs://bafy/a.png?filename=b#c",
]

const LOOPBACK = [
  "http://localhost:3001/ipfs/x",
  "http://127.0.0.1/x",
  "http://[::1]/x",
  "http://registry.localhost:3001/x",
]

const REFUSED = [
  // Browsers add slashes, and take backslashes for them.
  ...["https:example.com", "https:/example.com", "https:///example.com", "https:\\\\example.com", "https://a\\b"],
  "https://good.example\\@other.example",
  // What looks like a host is the name of a user.
  ...["https://good.example@other.example", "https://@example.com", "https://user:pw@example.com", "ipfs://u@bafy"],
  // Hosts in another form than the one that is asked for.
  ...["https://\uff45xample.com", "https://example\u3002com", "https://%65xample.com", "https://e\u00adxample.com"],
  ...["https://2130706433/", "https://0x7f.1/", "https://127.1", "https://example.com:0443", "https://example.com:"],
  // Another alphabet, which looks like this one.
  "https://\u0430pple.com",
  // Folders that are taken away again.
  ...["https://example.com/a/../b", "https://example.com/.", "https://example.com/%2e%2E/b", "ipfs://bafy/../x"],
  ...["ipfs://bafy/%2e%2e/x", "ipfs://bafy\\x", "ipfs:bafy", "ipfs:///x"],
  // Characters that are not shown, or turn the text around.
  ...["\u202e", "\u2066", "\u200b", "\u2060", "\u2800", "\u00a0", "\ue000", "\u{e0041}", "\ud800", "\u2028"].flatMap(
    (hidden) => [
      `https://example.com/${hidden}gpj.exe`,
      `https://example.com/?${hidden}`,
      `https://example.com/#${hidden}`,
      `ipfs://bafy/${hidden}x`,
    ],
  ),
  ...["ht\ntps://example.com", " https://example.com", "https://example.com/a\tb", "https://a b"],
  ...["javascript:alert(1)", "data:text/html,x", "ftp://a", "//a", "a", "ar://x"],
  ...["http://example.com", "http://localhost.other.example", `https://${"a".repeat(2050)}`],
]

describe("A link", () => {
  it("is https or ipfs and leads where it says, or is http of this machine", () => {
    for (const uri of [...TAKEN, ...LOOPBACK]) assert.isTrue(isWebUri(uri, true), uri)
    for (const uri of REFUSED) assert.isFalse(isWebUri(uri, true), JSON.stringify(uri))
    for (const uri of TAKEN) assert.isTrue(isWebUri(uri, false), uri)
    for (const uri of LOOPBACK) assert.isFalse(isWebUri(uri, false), uri)
  })

  const metadata = { name: "Name", symbol: "SYM" }
  const bodies = [
    ["a change of a token", TokenChange, {}, ["tokenUri", "bannerUri", "website", "twitter", "telegram"]],
    ["a document", MetadataDraft, metadata, ["imageUri", "bannerUri", "website", "twitter", "telegram"]],
    ["a launch", LaunchMetadata, metadata, ["imageUri", "bannerUri", "website", "twitter", "telegram", "uri"]],
  ] as const

  it.effect("is so in every field that takes one; of this machine only in local mode", () =>
    Effect.gen(function* () {
      for (const [what, schema, others, names] of bodies)
        for (const name of names) {
          const isTaken = (uri: string, takesLoopback: boolean) =>
            Schema.decodeUnknownEffect(schema as Schema.Codec<unknown>)({ ...others, [name]: uri }).pipe(
              Effect.provideService(LoopbackLinks, takesLoopback),
              Effect.exit,
              Effect.map(Exit.isSuccess),
            )
          for (const [uri, takesLoopback, expected] of [
            ["", false, true],
            [TAKEN[1]!, false, true],
            [LOOPBACK[0]!, true, true],
            [LOOPBACK[0]!, false, false],
            ["https:example.com", true, false],
          ] as const)
            assert.strictEqual(yield* isTaken(uri, takesLoopback), expected, `${what}, ${name}: ${uri}`)
        }
    }),
  )
})
