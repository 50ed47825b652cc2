import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  type Draft,
  DRAFT_VERSION,
  EMPTY_DRAFT,
  isLaunched,
  isUnderWay,
  PRIORITIES,
  readDraft,
} from "../src/browser/launch/Draft.ts"
import { issuesOf } from "../src/browser/launch/Issues.ts"
import { refusalOfFile } from "../src/browser/launch/ImageKind.ts"
import { PRESET_IDS } from "../src/browser/launch/CurvePresets.ts"

const Text = Schema.String.check(Schema.isMaxLength(200))
const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 53 - 1 }))
const Curve = Schema.Literals([...(PRESET_IDS as ["small", "standard", "large"]), "own"])
const Drafts = Schema.Struct({
  version: Schema.Literal(DRAFT_VERSION),
  details: Schema.Struct({
    ...{ name: Text, symbol: Text, description: Text, website: Text, twitter: Text, telegram: Text },
  }),
  picture: Schema.NullOr(
    Schema.Struct({
      ...{ uri: Text, cid: Text, contentType: Text, size: Size, fileSize: Size },
      preview: Schema.Literals(["", "data:image/webp;base64,UklGRg=="]),
    }),
  ),
  metadataUri: Schema.NullOr(Text),
  curve: Curve,
  own: Schema.Struct({ supply: Text, startMarketCap: Text, migrationMarketCap: Text, fee: Text }),
  firstBuy: Text,
  priority: Schema.Literals(PRIORITIES),
  poolMetadata: Schema.Boolean,
  config: Schema.NullOr(Schema.Struct({ address: Text, signer: Text, curve: Text })),
  build: Schema.NullOr(
    Schema.Struct({
      ...{ signer: Text, config: Text, mintAddress: Text, lastValidBlockHeight: Text },
      steps: Schema.NonEmptyArray(
        Schema.Struct({
          ...{ transaction: Text, purposes: Schema.NonEmptyArray(Text).check(Schema.isMaxLength(4)) },
          ...{ signature: Schema.NullOr(Text), state: Schema.NullOr(Text) },
        }),
      ).check(Schema.isMaxLength(4)),
    }),
  ),
  isRegistered: Schema.Boolean,
})

const STEP = { transaction: "AQ==", purposes: ["pool"], signature: null, state: null }
const BUILD = { signer: "s", config: "c", mintAddress: "m", lastValidBlockHeight: "1", steps: [STEP] }

describe("The draft of a launch", () => {
  it.prop("is read as it was stored", [Drafts], ([draft]) => {
    assert.deepStrictEqual(readDraft(JSON.stringify(draft)), draft as Draft)
  })

  it("of a console that had no own figures is read without any", () => {
    const { own: _own, poolMetadata: _poolMetadata, ...before } = EMPTY_DRAFT
    const config = { address: "a", signer: "s", curve: "small" }
    assert.deepStrictEqual(readDraft(JSON.stringify({ ...before, config })), { ...EMPTY_DRAFT, config })
  })

  it("of another version, or malformed, is not read", () => {
    const stored = (differences: object) => JSON.stringify({ ...EMPTY_DRAFT, ...differences })
    assert.deepStrictEqual(readDraft(stored({})), EMPTY_DRAFT)
    const malformed = [
      ...[null, "", "{", "null", "[]", "7", '"text"', "{}"],
      ...[stored({ version: 2 }), stored({ version: "1" }), stored({ curve: "huge" }), stored({ priority: 5 })],
      ...[stored({ details: { ...EMPTY_DRAFT.details, name: 1 } }), stored({ details: null })],
      ...[stored({ firstBuy: null }), stored({ isRegistered: "yes" }), stored({ build: [] })],
      ...[stored({ build: { ...BUILD, steps: [] } }), stored({ build: { ...BUILD, steps: [{ ...STEP, state: 1 }] } })],
      ...[stored({ own: null }), stored({ own: { ...EMPTY_DRAFT.own, fee: 1 } }), stored({ poolMetadata: "yes" })],
      stored({ build: { ...BUILD, steps: Array.from({ length: 9 }, () => STEP) } }),
      stored({ picture: { uri: "u", cid: "c", contentType: "t", size: 1, fileSize: 1, preview: "https://a.example" } }),
    ]
    for (const text of malformed) assert.isUndefined(readDraft(text), String(text))
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
})

describe("What the service finds wrong", () => {
  it("goes beside its field, whichever request it was found in", () => {
    const refusal = (...issues: ReadonlyArray<readonly [string, string]>) =>
      issuesOf({
        ...{ success: false, code: "invalid_request", message: "", status: 400 },
        issues: issues.map(([path, message]) => ({ path, message })),
      })
    assert.isUndefined(refusal())
    assert.deepStrictEqual(
      refusal(
        ["body.name", "too long"],
        ["body.metadata.website", "no link"],
        ["body.metadata.name", "odd"],
        ["body.firstBuy.amount", "too much"],
        ["body.priorityFee", "too much"],
        ["body.signer", "no wallet"],
        ["body.dbcConfig.buildCurveParam.percentageSupplyOnMigration", "of no own curve"],
      ),
      {
        ...{ name: "too long; odd", website: "no link", firstBuy: "too much", priorityFee: "too much" },
        "": "body.signer: no wallet; body.dbcConfig.buildCurveParam.percentageSupplyOnMigration: of no own curve",
      },
    )
    const ofConfig = [
      "totalTokenSupply",
      "buildCurveParam.migrationQuoteThreshold",
      "baseFeeParams.baseFeeMode",
      "leftover",
    ]
    const issues = ofConfig.map((name) => ({ path: `body.dbcConfig.${name}`, message: "wrong" }))
    assert.deepStrictEqual(
      issuesOf({ success: false, code: "invalid_request", message: "", status: 400, issues }, true),
      {
        ...{ supply: "wrong", migrationMarketCap: "wrong", fee: "wrong", "": "body.dbcConfig.leftover: wrong" },
      },
    )
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
