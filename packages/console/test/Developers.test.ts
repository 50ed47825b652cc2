import { assert, describe, it, vi } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { MASTER } from "../../server/test/notifications/TestNotifications.ts"
import { secretText, signatureOf } from "../../server/src/notifications/SigningSecret.ts"
import { errorCodes, matching } from "../src/browser/developers/ErrorCodes.ts"
import { EVENTS_MAX, type SeenEvent, withEvents } from "../src/browser/developers/SeenEvents.ts"
import { curlOf, mintsOf, typescriptOf } from "../src/browser/developers/StreamCode.ts"
import { verifySignature } from "../src/browser/developers/VerifySignature.ts"

const MINT = "So11111111111111111111111111111111111111112"

describe("The verifier of webhook signatures", () => {
  const version = { endpointId: "01a208d6-7aac-748c-94ce-66df4fbe85a0", version: 2 }
  const content = {
    id: "019aa3f0-7d3e-7c55-9f0a-3b7f6a1e2d4c",
    timestampSeconds: 1_795_348_230,
    body: '{"type":"test"}\n',
  }
  const signatures = signatureOf(content, [MASTER], [version, { ...version, version: 1 }])
  const received = { ...content, timestamp: String(content.timestampSeconds), signatures }
  const secret = secretText(MASTER, version)

  it("believes what the service signs, with either secret of a rotation", async () => {
    for (const one of [secret, secretText(MASTER, { ...version, version: 1 }), ` ${secret} `])
      assert.deepStrictEqual(await verifySignature(one, received, content.timestampSeconds + 300), {
        isSigned: true,
        isTooOld: false,
      })
    const late = await verifySignature(secret, received, content.timestampSeconds + 301)
    assert.deepStrictEqual(late, { isSigned: true, isTooOld: true })
  })

  it("believes nothing else", async () => {
    const others = [
      [secretText(MASTER, { ...version, version: 3 }), received],
      [secret, { ...received, body: received.body.trim() }],
      [secret, { ...received, id: "another" }],
      [secret, { ...received, timestamp: String(content.timestampSeconds + 1) }],
      [secret, { ...received, timestamp: "" }],
      [secret, { ...received, signatures: "" }],
      [secret, { ...received, signatures: signatures.replaceAll("v1,", "v2,") }],
      ["", received],
      ["whsec_not base64!", received],
    ] as const
    for (const [one, message] of others)
      assert.isFalse((await verifySignature(one, message, content.timestampSeconds)).isSigned)
  })

  it("says so where the browser has no cryptography", async () => {
    vi.stubGlobal("crypto", {})
    const verdict = await verifySignature(secret, received, content.timestampSeconds)
    vi.unstubAllGlobals()
    assert.isFalse(verdict.isSigned)
    assert.include(JSON.stringify(verdict), "not on https")
  })
})

describe("Errors by code", () => {
  const codes = errorCodes(JSON.parse(readFileSync(join(import.meta.dirname, "../../../openapi.json"), "utf8")))
  const documented = readFileSync(join(import.meta.dirname, "../../../docs/errors.md"), "utf8")

  it("are those of the documents", () => {
    const listed = [...documented.matchAll(/^\| `(\w+)` \| ([\d, ]+) \|/gm)].flatMap(([, code, statuses = ""]) =>
      statuses.split(", ").map((status) => `${code} ${status}`),
    )
    const found = codes.flatMap(({ code, statuses }) => statuses.map((status) => `${code} ${status}`))
    assert.isAbove(found.length, 30)
    for (const one of found) assert.include(listed, one)
    for (const { operations } of codes) assert.isAbove(operations.length, 0)
    const meanings = new Map(
      Array.from(documented.matchAll(/^\| `(\w+)` \| [\d, ]+ \| (.+?) \| /gm), ([, code, said]) => [code, said]),
    )
    for (const { code, meaning } of codes) assert.strictEqual(meaning, meanings.get(code), code)
    assert.match(codes.find(({ code }) => code === "not_found")!.details.join(), /^\w+: \w+/)
  })

  it("are found by code, status, words and operations", () => {
    const found = (text: string) => matching(codes, text).map(({ code }) => code)
    assert.include(found("not_found"), "not_found")
    assert.include(found("404 /api/tokens/{id}"), "not_found")
    assert.deepStrictEqual(found("no such words anywhere"), [])
    assert.lengthOf(found(" "), codes.length)
  })
})

describe("A subscription of the stream", () => {
  it("is written for a shell and for the client", () => {
    const filter = { types: ["trade", "revert"], mints: [MINT] }
    assert.strictEqual(
      curlOf("http://localhost:3001/", filter),
      `curl -N 'http://localhost:3001/api/stream?types=trade,revert&mintAddresses=${MINT}'`,
    )
    assert.include(
      typescriptOf("http://localhost:3001/", filter),
      `{"types":["trade","revert"],"mintAddresses":["${MINT}"]}`,
    )
    assert.strictEqual(
      curlOf("https://a.example/below/", { types: [], mints: [] }),
      "curl -N 'https://a.example/below/api/stream'",
    )
  })

  it("takes addresses as they are pasted, and says what is none", () => {
    assert.deepStrictEqual(mintsOf(` ${MINT},\n${MINT} x'; rm `), { mints: [MINT], wrong: ["x';", "rm"] })
  })

  it("shows the newest events, and not without bound", () => {
    const events = Array.from(
      { length: EVENTS_MAX + 50 },
      (_, index) => ({ number: index + 1, at: 0, event: {} }) as SeenEvent,
    )
    const seen = withEvents(withEvents([], events.slice(0, 10)), events.slice(10))
    assert.lengthOf(seen, EVENTS_MAX)
    assert.deepStrictEqual(
      seen.map(({ number }) => number),
      events
        .map(({ number }) => number)
        .toReversed()
        .slice(0, EVENTS_MAX),
    )
  })
})
