import { assert, describe, it } from "@effect/vitest"
import { assertDeclaredEvent, contractFault, type SeenAnswer } from "./ContractCheck.ts"

const DELETED = { success: true, data: { deleted: true }, message: "Token deleted" }
const TOKEN = "/api/tokens/0190a0a0-0000-7000-8000-000000000000"

const seen = (body: unknown, change: Partial<SeenAnswer> = {}): SeenAnswer => ({
  ...{ method: "DELETE", url: TOKEN, status: 200, contentType: "application/json", text: JSON.stringify(body) },
  ...change,
})

describe("The contract check of every answer in tests", () => {
  const faulty: ReadonlyArray<readonly [what: string, answer: SeenAnswer, fault: RegExp]> = [
    ["an additional field", seen({ ...DELETED, more: 1 }), /^tokens\.remove \(DELETE \/api\/tokens\/.*"more"/s],
    ["a missing field", seen({ success: true }), /Missing key.*"data"/s],
    ["an undeclared status", seen(DELETED, { status: 202 }), /tokens\.remove .* declares no 202/],
    ["a success of an unknown endpoint", seen({}, { url: "/api/tokenz" }), /DELETE \/api\/tokenz is no endpoint/],
    ["JSON where events are declared", seen({}, { method: "GET", url: "/api/stream" }), /stream\.changes/],
  ]
  for (const [what, answer, fault] of faulty)
    it(`finds: ${what}`, () => assert.match(contractFault(answer) ?? "", fault))

  const reset = { id: "1", event: "reset", data: JSON.stringify({ reason: "unknown_id" }) }
  it("accepts the declared events of the stream, and no others", () => {
    assertDeclaredEvent(reset)
    assert.throws(() => assertDeclaredEvent({ ...reset, event: "trade" }), /The stream sent/)
    assert.throws(
      () => assertDeclaredEvent({ ...reset, data: JSON.stringify({ reason: "unknown_id", more: 1 }) }),
      /more/,
    )
  })
})
