import { assert, describe, it } from "@effect/vitest"
import type { Market, TradeSeen, TrustReport } from "@launch-registry/client"
import { linksOf, safeLink } from "../src/token/Links.ts"
import { tradedMarket } from "../src/token/TradedMarket.ts"
import { trustFlags } from "../src/token/TrustWords.ts"
import { type TradeRow, withSeen } from "../src/token/useTrades.ts"

const NONE = {
  ...{ mintAuthority: null, freezeAuthority: null, permanentDelegate: null, pauseAuthority: null },
  ...{ transferFeeAuthority: null, transferHookAuthority: null, accountsStartFrozen: false, transferExtension: null },
}
const SAFE = {
  ...{ verified: true, confusableWith: [], unsafeText: [], mint: NONE },
  metadata: { isMutable: false },
  liquidity: { basis: "pool", permanentLockedShare: 1, vestingShare: 0, unlockedShare: 0, unknownShare: 0 },
  firstSlot: { creatorShare: 0, wallets: 0, walletsShare: 0, finality: "finalized" },
  holders: { creatorShare: 0.01, top10Share: 0.1 },
} as unknown as TrustReport

const kindsOf = (report: TrustReport) => trustFlags(report).map(({ kind }) => kind)

describe("What to know of a token", () => {
  it("warns of nothing where nobody has a power or much of the supply", () => {
    assert.notInclude(kindsOf(SAFE), "bad")
    const texts = trustFlags(SAFE).map(({ text }) => text)
    assert.include(texts, "100% of the liquidity is locked for good")
    assert.include(texts, "Nobody can mint more tokens")
  })

  it("has warnings first, and of these who holds much", () => {
    const report = {
      ...SAFE,
      mint: { ...NONE, mintAuthority: "11111111111111111111111111111111" },
      liquidity: { ...SAFE.liquidity, unlockedShare: 0.5, permanentLockedShare: 0.5 },
      holders: { creatorShare: 0.2, top10Share: 0.7 },
    } as TrustReport
    const flags = trustFlags(report)
    assert.deepStrictEqual(
      flags.filter(({ kind }) => kind === "bad").map(({ text }) => text),
      [
        "The ten largest holders have 70% of the supply",
        "Its creator holds 20% of the supply",
        "1111…1111 can mint more tokens",
        "50% of the liquidity can be withdrawn at any time",
      ],
    )
    const order = { bad: 0, note: 1, good: 2 }
    const kinds = flags.map(({ kind }) => order[kind])
    assert.deepStrictEqual(kinds, kinds.toSorted())
  })

  it("says what is not known as such", () => {
    const unknown = { ...SAFE, confusableWith: null, metadata: { isMutable: null }, liquidity: null, holders: null }
    const texts = trustFlags(unknown as unknown as TrustReport).map(({ text }) => text)
    assert.include(texts, "Its name is not compared with others yet")
    assert.include(texts, "Whether name and image can be changed is not known")
    assert.notMatch(texts.join(), /liquidity|holders/)
  })
})

describe("The symbol of a token that it looks like", () => {
  it("changes the direction of its own letters alone", () => {
    const other = { mintAddress: "11111111111111111111111111111111", reasons: ["older"], symbol: "\u202ECAT\u2069" }
    const [flag] = trustFlags({ ...SAFE, confusableWith: [other] } as unknown as TrustReport)
    assert.strictEqual(flag!.text, "Looks like \u2068\u202ECAT\u2069 (1111…1111), which is older")
  })
})

describe("Links of a token", () => {
  const registry = "https://registry.example/folder/"
  const of = (document: object) => linksOf({ document, token: null } as Parameters<typeof linksOf>[0], registry)

  it("are of the web, or of content at the registry", () => {
    assert.strictEqual(safeLink("https://a.example/?q=1", registry), "https://a.example/?q=1")
    for (const uri of ["ipfs://cid/a b", "ipfs:///cid/a b"])
      assert.strictEqual(safeLink(uri, registry), `${registry}ipfs/cid/a%20b`)
    for (const uri of ["javascript:alert(1)", "data:text/html,x", "http://a.example", "//a.example", "x", ""])
      assert.strictEqual(safeLink(uri, registry), undefined, uri)
    for (const path of [
      "../console",
      "%2e%2e/console",
      "cid/../../console",
      "cid/..\\..\\x",
      "javascript:x",
      "\\\\a.example",
    ])
      assert.strictEqual(safeLink(`ipfs://${path}`, registry), undefined, path)
    assert.strictEqual(safeLink("ipfs://https://a.example/x", registry), `${registry}ipfs/https://a.example/x`)
  })

  it("are called X and Telegram only where they lead there", () => {
    const [twitter, telegram] = ["https://x.com/cat", "https://t.me/cat"]
    assert.deepStrictEqual(of({ twitter, telegram }), [
      ["X", twitter],
      ["Telegram", telegram],
    ])
    const elsewhere = { twitter: "https://x.com@a.example/", telegram: "https://t.me.a.example/" }
    assert.deepStrictEqual(
      of(elsewhere).map(([name]) => name),
      ["a.example", "t.me.a.example"],
    )
  })
})

describe("The figures of a market", () => {
  const market = {
    ...{ price: "1", marketCap: "100", priceUsd: "150", marketCapUsd: "15000", quoteProgress: 0.1, quoteReserve: "5" },
    lastTradeAt: "2026-11-29T07:00:00.000Z",
  } as Market
  const trade = {
    ...{ price: "2", marketCap: "200", priceUsd: null, quoteProgress: 0.2, quoteReserve: "9", venue: "dbc" },
    time: "2026-11-29T07:00:01.000Z",
  } as unknown as TradeSeen

  it("follow a later trade, and show no dollars of the price before", () => {
    assert.deepInclude(tradedMarket(market, trade), {
      ...{ price: "2", marketCap: "200", priceUsd: null, marketCapUsd: null, quoteProgress: 0.2, quoteReserve: "9" },
    })
    assert.strictEqual(tradedMarket(market, { ...trade, time: "2026-11-29T06:59:59.000Z" }), market)
    assert.strictEqual(tradedMarket(market, undefined), market)
  })

  it("keep what a trade does not say, and what was raised once it trades in a pool", () => {
    const silent = { ...trade, price: null, marketCap: null, quoteProgress: null, venue: "damm_v2" } as TradeSeen
    assert.deepInclude(tradedMarket(market, silent), {
      ...{ price: "1", marketCap: "100", quoteProgress: 0.1, quoteReserve: "5" },
    })
  })
})

describe("The list of trades", () => {
  const row = (signature: string, price = "1"): TradeRow => ({
    ...{ signature, price, side: "BUY", baseAmount: "1", quoteAmount: "2", trader: "t" },
    time: "2026-11-29T07:00:00.000Z",
  })
  const shown = (seen: ReadonlyArray<TradeRow>, read: ReadonlyArray<TradeRow>) =>
    [...withSeen(seen, read).values()].map(({ price, signature }) => `${signature}${price}`)

  it("has each trade once, those of the stream in front, and all swaps of a transaction", () => {
    assert.deepStrictEqual(shown([row("c"), row("b")], [row("b"), row("a"), row("a", "2")]), ["c1", "b1", "a1", "a2"])
    assert.deepStrictEqual(shown([], [row("a")]), ["a1"])
  })
})
