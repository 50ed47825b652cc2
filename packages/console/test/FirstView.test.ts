import { assert, describe, it } from "@effect/vitest"
import type { Launch } from "@launch-registry/domain/launch/Launch"
import { firstView } from "../src/FirstView.ts"
import { rowOfLaunch } from "../src/browser/board/BoardState.ts"

const NOW = Date.parse("2026-11-24T09:00:00.000Z")
const SOL = "So11111111111111111111111111111111111111112"

const launch = (index: number, fields: Partial<Launch> = {}, imageUri: string | null = null): Launch =>
  ({
    ...{ mintAddress: `${"1".repeat(40)}${index}`, pool: `P${index}`, config: "C", creator: "W", quoteMint: SOL },
    ...{ name: `Name ${index}`, symbol: `S${index}`, uri: "", stage: "curve", graduatedAt: null, token: null },
    launchedAt: "2026-11-24T08:59:57.000Z",
    market: {
      ...{ pool: `P${index}`, quoteMint: SOL, quoteDecimals: 9, stage: "curve", price: "0.000000028" },
      ...{ marketCap: "28.4", quoteVolume24h: "5000000000", trades24h: 3, priceChange24h: -1.5, quoteProgress: 0.25 },
      ...{ lastTradeAt: null, imageUri },
    },
    ...fields,
  }) as unknown as Launch

const many = Array.from({ length: 20 }, (_, index) => launch(10 + index))

/** The list that the page gives to its modules, as these read it. */
const listIn = (list: string): unknown =>
  JSON.parse(/^<script type="application\/json" id="first-list">(.*)<\/script>$/s.exec(list)![1]!)

const count = (text: string, what: RegExp): number => text.match(what)?.length ?? 0

describe("The first view of the board", () => {
  it("has a screenful of rows as text, and all of them for the modules", () => {
    const { list, shell } = firstView(many, NOW)
    assert.strictEqual(count(shell, /<tr role="row" data-mint=/g), 10)
    assert.match(
      shell,
      /<header>.*aria-current="page">Board<.*Connect a wallet.*<main tabindex="-1">.*<h1>Board<\/h1>/s,
    )
    assert.include(shell, ">0.0₇28 <small>SOL</small>")
    assert.include(shell, ">5 <small>SOL</small>")
    assert.include(shell, "−1.50%")
    assert.include(shell, "25%")
    assert.match(shell, /<time datetime="2026-11-24T08:59:57.000Z" title="2026-11-24T08:59:57.000Z">/)
    assert.deepStrictEqual(listIn(list), { rows: many.map(rowOfLaunch), readAt: NOW })
  })

  it("is text whatever a token is called", () => {
    const names = [
      ...["</script><script>alert(1)</script>", "<!--<script>", "</style></title></table>", "&lt;b&gt;&amp;"],
      ...[`" onerror="alert(1)" x="`, "' onload='alert(1)", "{shell}{list}{files}{facts}", "$&$`$'$1"],
      ...[
        "line\u2028and\u2029paragraph",
        "\u0000\u0001",
        "a\u202Eb",
        "\u{1F600}".repeat(20),
        "\uD800",
        "javascript:alert(1)",
      ],
    ]
    const hostile = names.flatMap((name) => [
      launch(1, { name, symbol: name }),
      launch(2, { name: "n", symbol: "s", mintAddress: name, launchedAt: "2026-11-24T08:59:57.000Z" } as never),
    ])
    for (const one of hostile) {
      const { list, shell } = firstView([one], NOW)
      const plain = firstView([launch(1, { name: "plain", symbol: "plain" })], NOW).shell
      // Elements and attributes are those of any other token.
      const tags = (html: string) =>
        html.match(/<[a-z/!](?:"[^"]*"|[^<>"])*>/gi)!.map((tag) => tag.replaceAll(/"[^"]*"/g, '""'))
      assert.deepStrictEqual(tags(shell), tags(plain), JSON.stringify(one.name))
      assert.strictEqual(count(list, /</g), 2)
      assert.notMatch(list.slice(1, -1).replace("<", ""), /[\u2028\u2029]/)
      assert.deepStrictEqual((listIn(list) as { rows: unknown }).rows, [rowOfLaunch(one)])
    }
  })

  it("shows images over TLS alone: of its own host the service knows nothing", () => {
    const uris = [
      "https://images.example/a.png?b=1&c=2",
      "http://images.example/a.png",
      "javascript:alert(1)",
      "data:,",
    ]
    const { list, shell } = firstView(
      uris.map((uri, index) => launch(index, {}, uri)),
      NOW,
    )
    assert.deepStrictEqual(
      Array.from(shell.matchAll(/<img[^>]* src="([^"]*)"/g), ([, src]) => src),
      ["https://images.example/a.png?b=1&amp;c=2"],
    )
    const { rows } = listIn(list) as { readonly rows: ReadonlyArray<{ readonly imageUri: string | null }> }
    assert.deepStrictEqual(
      rows.map(({ imageUri }) => imageUri),
      [uris[0]!, null, null, null],
    )
  })

  it("says what there is none of, and what is being read", () => {
    const empty = firstView([], NOW)
    assert.include(empty.shell, "No launch yet")
    assert.deepStrictEqual(listIn(empty.list), { rows: [], readAt: NOW })
    const unread = firstView(undefined, NOW)
    assert.include(unread.shell, "Reading tokens")
    assert.strictEqual(unread.list, "")
  })

  it("has nothing of the page before", () => {
    assert.notInclude(firstView([], NOW).shell, "S10")
    assert.include(firstView(many, NOW).shell, ">S10<")
    assert.notInclude(firstView(undefined, NOW).shell, "S10")
  })
})
