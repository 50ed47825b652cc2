import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { movedBy, squareIn } from "../src/launch/Crop.ts"
import { STANDARD } from "../src/launch/CurveFigures.ts"
import { type Draft, EMPTY_DRAFT, isLaunched, isUnderWay, type LinkKind, readDraft } from "../src/launch/Draft.ts"
import { issuesOf } from "../src/launch/Issues.ts"
import { createRequestOf, issuesOfDraft } from "../src/launch/LaunchRequest.ts"
import { linkOf } from "../src/launch/Links.ts"
import { lamportsOf, solOf } from "../src/launch/SolAmount.ts"
import { base58 } from "../src/wallet/Base58.ts"
import { signatureOf } from "../src/wallet/SignTransaction.ts"
import { refusalOfFile } from "../src/launch/SquareImage.ts"

const STEP = { transaction: "AQ==", purposes: ["pool"], signature: null, state: null }
const BUILD = { signer: "s", config: "c", mintAddress: "m", lastValidBlockHeight: "1", steps: [STEP] }

describe("The draft of a launch", () => {
  it("is read as it was stored, and not of another version", () => {
    const draft = { ...EMPTY_DRAFT, build: BUILD, firstBuy: "0.5" }
    assert.deepStrictEqual(readDraft(JSON.stringify(draft)), draft)
    const picture = { uri: null, preview: "data:," }
    assert.deepStrictEqual(readDraft(JSON.stringify({ ...draft, picture })), draft)
    for (const text of [null, "", "{", "null", "[]", "7", "{}", JSON.stringify({ ...draft, version: 0 })])
      assert.isUndefined(readDraft(text), String(text))
  })

  it("says whether something may be on its way, and whether all has landed", () => {
    const withSteps = (...steps: ReadonlyArray<object>): Draft =>
      ({ ...EMPTY_DRAFT, build: { ...BUILD, steps: steps.map((step) => ({ ...STEP, ...step })) } }) as Draft
    const seen = [
      EMPTY_DRAFT,
      withSteps({}),
      withSteps({ signature: "a" }, {}),
      withSteps({ signature: "a", state: "confirmed" }, { signature: "b", state: "processed" }),
      withSteps({ signature: "a", state: "finalized" }, { signature: "b", state: "confirmed" }),
    ].map((draft) => [isUnderWay(draft), isLaunched(draft)])
    assert.deepStrictEqual(seen, [
      [false, false],
      [false, false],
      [true, false],
      [true, false],
      [true, true],
    ])
  })

  it("names what is missing, in bytes of UTF-8", () => {
    const issuesWith = (name: string, symbol: string, firstBuy = "") =>
      Object.keys(issuesOfDraft({ ...EMPTY_DRAFT, details: { ...EMPTY_DRAFT.details, name, symbol }, firstBuy }))
    assert.deepStrictEqual(issuesWith(" ", ""), ["name", "symbol"])
    assert.deepStrictEqual(issuesWith("é".repeat(16), "é".repeat(5)), [])
    assert.deepStrictEqual(issuesWith("é".repeat(17), "é".repeat(6)), ["name", "symbol"])
    for (const amount of ["0", "0.0", "a lot", "-1", "1.1234567891", "1,5"])
      assert.deepStrictEqual(issuesWith("Harbour", "HARB", amount), ["firstBuy"], amount)
  })

  it("is built on a configuration that landed, for the same wallet and figures alone", () => {
    const wallet = { address: "w", transactionVersion: 1 as const }
    const config = { address: "c", signer: "w", figures: { ...STANDARD } }
    const requestOf = (draft: Partial<Draft>) =>
      createRequestOf({ ...EMPTY_DRAFT, config, ...draft }, { name: "a", symbol: "b" }, wallet)
    assert.deepInclude(requestOf({}), { config: "c", signer: "w", transactionVersion: 1 })
    assert.notProperty(requestOf({}), "dbcConfig")
    for (const other of [{ figures: { ...STANDARD, raises: "20" } }, { config: { ...config, signer: "other" } }])
      assert.isObject(requestOf(other)?.dbcConfig)
    assert.isUndefined(requestOf({ figures: { ...STANDARD, fee: "100" } }))
    const paid = requestOf({ firstBuy: "0.5", priority: "high", poolMetadata: true })
    assert.deepInclude(paid, { firstBuy: { amount: "500000000" }, priorityFee: "high", poolMetadata: true })
    assert.notProperty(requestOf({ firstBuy: "0" }), "firstBuy")
  })
})

describe("A link", () => {
  it("is the URL that is meant by a handle or a domain", () => {
    const meant: ReadonlyArray<readonly [LinkKind, text: string, url: string]> = [
      ["website", " example.com ", "https://example.com"],
      ["website", "bücher.example/path?a=1", "https://bücher.example/path?a=1"],
      ["website", "@handle", "@handle"],
      ["website", "http://example.com", "http://example.com"],
      ["twitter", "@handle", "https://x.com/handle"],
      ["twitter", "handle", "https://x.com/handle"],
      ["twitter", "x.com/handle", "https://x.com/handle"],
      ["telegram", "@group", "https://t.me/group"],
      ["telegram", "t.me/group", "https://t.me/group"],
      ["telegram", "two words", "two words"],
      ["telegram", "", ""],
    ]
    for (const [kind, text, url] of meant) assert.strictEqual(linkOf(kind, text), url, `${kind} ${text}`)
  })

  it.prop(
    "stays what it is once it is one",
    [Schema.Literals(["website", "twitter", "telegram"]), Schema.String],
    ([kind, text]) => {
      const link = linkOf(kind, text)
      assert.strictEqual(linkOf(kind, link), link)
    },
  )
})

describe("An amount of SOL", () => {
  it.prop(
    "is the lamports that it is written from",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 53 - 1 }))],
    ([lamports]) => {
      assert.strictEqual(lamportsOf(solOf(String(lamports)).replaceAll(",", "")), BigInt(lamports))
    },
  )
})

describe("What the registry finds wrong", () => {
  it("goes beside its field, whichever request it was found in", () => {
    const found = (...issues: ReadonlyArray<readonly [string, string]>) =>
      issuesOf({
        ...{ success: false, code: "invalid_request", message: "", status: 400 },
        issues: issues.map(([path, message]) => ({ path, message })),
      })
    assert.isUndefined(found())
    assert.deepStrictEqual(
      found(
        ["body.name", "too long"],
        ["body.metadata.website", "no link"],
        ["body.metadata.name", "odd"],
        ["body.firstBuy.amount", "too much"],
        ["body.signer", "no wallet"],
        ["body.dbcConfig.buildCurveParam.migrationQuoteThreshold", "too much"],
        ["body.dbcConfig.leftover", "wrong"],
      ),
      {
        ...{ name: "too long; odd", website: "no link", firstBuy: "too much", raises: "too much" },
        "": "body.signer: no wallet; body.dbcConfig.leftover: wrong",
      },
    )
  })
})

describe("The signature of a transaction", () => {
  it("is the first, before the message, and in version 1 behind it", () => {
    const [first, second] = [new Uint8Array(64).fill(1), new Uint8Array(64).fill(2)]
    const message = [0x80, 2, 0, 0, 2, ...new Uint8Array(64).fill(7)]
    const version1 = [0x81, 2, 0, 0, ...new Uint8Array(4 + 32), 0, 2, ...new Uint8Array(64).fill(7)]
    for (const wire of [
      [2, ...first, ...second, ...message],
      [...version1, ...first, ...second],
    ])
      assert.strictEqual(signatureOf(Uint8Array.from(wire)), base58(first))
  })
})

describe("An image file", () => {
  const head = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))
  it("is told by its first bytes and its size", () => {
    for (const begins of [
      "\x89PNG\r\n\x1a\n....",
      "\xff\xd8\xff\xe0",
      "GIF87a",
      "GIF89a",
      "RIFF\x00\n\xff\x00WEBPVP8 ",
    ])
      assert.isUndefined(refusalOfFile(head(begins), 15 * 1024 * 1024), begins)
    for (const begins of ["<svg xmlns=", "%PDF-1.7", "BM", "RIFF....WAVE", "GIF", " \x89PNG\r\n\x1a\n"])
      assert.match(refusalOfFile(head(begins), 100) ?? "", /PNG, JPEG, GIF or WebP/, begins)
    assert.match(refusalOfFile(head("GIF89a"), 15 * 1024 * 1024 + 1) ?? "", /15 MiB/)
    assert.match(refusalOfFile(head(""), 0) ?? "", /empty/)
  })
})

describe("The square of an image", () => {
  const [size, share] = [Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 9_000 })), Schema.Finite]
  it.prop(
    "stays within it wherever it is dragged, and follows the finger while there is room",
    { width: size, height: size, zoom: Schema.Literals([1, 1.5, 5]), right: share, down: share },
    ({ down, height, right, width, zoom }) => {
      const before = { left: 0.5, top: 0.5, zoom }
      const crop = movedBy({ width, height }, before, right, down)
      const { side, x, y } = squareIn({ width, height }, crop)
      assert.isTrue(x >= 0 && y >= 0 && x + side <= width + 1e-6 && y + side <= height + 1e-6)
      const moved = squareIn({ width, height }, before).x - x
      if (crop.left > 0 && crop.left < 1 && width > side) assert.closeTo(moved, right * side, 1e-6 * width)
    },
  )
})
