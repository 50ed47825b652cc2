import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { RpcFault } from "../../src/rpc/RpcError.ts"
import { faultOfAnswer, faultOfThrown } from "../../src/rpc/FaultOfAnswer.ts"

const NOW = Date.parse("2026-11-21T10:00:00Z")
const limited = (retryAfter?: string) => faultOfAnswer({ status: 429, retryAfter, body: undefined }, NOW)
const coded = (error: object, status = 200) => faultOfAnswer({ status, retryAfter: undefined, body: { error } }, NOW)
const pause = (retryAfterMillis: number): RpcFault => ({ _tag: "RateLimited", retryAfterMillis })

describe("The classification of an answer", () => {
  it("reads Retry-After in seconds and as a date, and defaults to a short pause", () => {
    assert.deepStrictEqual(limited("30"), pause(30_000))
    assert.deepStrictEqual(limited("120"), pause(120_000))
    assert.deepStrictEqual(limited("Sat, 21 Nov 2026 10:02:00 GMT"), pause(120_000))
    for (const nothing of [undefined, "", "0", "soon", "-5", "Sat, 21 Nov 2020 10:02:00 GMT"])
      assert.deepStrictEqual(limited(nothing), pause(1_000), String(nothing))
    assert.deepStrictEqual(limited("99999999999"), pause(86_400_000))
  })

  it("recognizes rate limits that come as JSON-RPC errors", () => {
    assert.deepStrictEqual(coded({ code: -32000, message: "Too many requests for this method" }), pause(1_000))
    assert.deepStrictEqual(coded({ code: 429, message: "slow down" }), pause(1_000))
  })

  it("uses the status for refused keys, and the body for everything else", () => {
    assert.deepStrictEqual(coded({ code: -32602, message: "m" }, 403), { _tag: "Forbidden", status: 403 })
    assert.deepInclude(coded({ code: -32602, message: "m" }, 400), { _tag: "Rejected", code: -32602 })
    assert.deepStrictEqual(coded({ code: -32005, message: "m" }, 503), { _tag: "Behind", code: -32005 })
  })

  it("takes a blockhash that is not found for the answer, whatever its code", () => {
    assert.deepInclude(coded({ code: -32000, message: "Blockhash not found" }), { _tag: "Rejected", code: -32000 })
  })

  it.prop("handles any input", [Schema.Int, Schema.Json], ([status, body]) => {
    const fault = faultOfAnswer({ status, retryAfter: undefined, body }, NOW)
    const isResult = status >= 200 && status <= 299 && typeof body === "object" && body !== null && "result" in body
    if (fault === undefined) assert.isTrue(isResult)
  })

  it("knows when a request was certainly not sent", () => {
    const error = (code: string) => Object.assign(new Error(code), { code })
    for (const code of ["ECONNREFUSED", "ENOTFOUND", "UND_ERR_CONNECT_TIMEOUT", "CERT_HAS_EXPIRED"])
      assert.deepStrictEqual(faultOfThrown(error(code)), { _tag: "Unreachable" })
    assert.deepStrictEqual(faultOfThrown(new AggregateError([error("ECONNREFUSED")])), { _tag: "Unreachable" })
    for (const thrown of [error("ECONNRESET"), error("UND_ERR_SOCKET"), new Error("?"), undefined])
      assert.deepStrictEqual(faultOfThrown(thrown), { _tag: "Disconnected" })
  })
})
