import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { parseLossless } from "../../../src/rpc/LosslessJson.ts"
import { type CheckedMethod, isSoundResult, METHODS as TABLE } from "../../../src/rpc/Methods.ts"
import { Rpc } from "../../../src/rpc/Rpc.ts"
import { SAMPLE_RESULTS } from "./SampleResults.ts"

const METHODS = Object.keys(TABLE) as ReadonlyArray<CheckedMethod>

/** Wrong values for any place. */
const WRONG: ReadonlyArray<unknown> = [
  ...[undefined, null, true, "5", "", "é", "l".repeat(44), "1".repeat(20_000), [], {}, [[]]],
  ...[-1, 0.5, -0.5, 1e300, 2 ** 64, Number.MAX_SAFE_INTEGER * 4096],
]

/** Every place in a value, as the keys that lead there. */
const placesOf = (value: unknown, at: ReadonlyArray<string> = []): ReadonlyArray<ReadonlyArray<string>> => [
  at,
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => placesOf(inner, [...at, key]))
    : []),
]

/** A copy with another value in one place. */
const replaced = (value: unknown, [key, ...rest]: ReadonlyArray<string>, by: unknown): unknown => {
  if (key === undefined) return by
  if (Array.isArray(value)) return value.map((item, index) => (String(index) === key ? replaced(item, rest, by) : item))
  const fields = value as Readonly<Record<string, unknown>>
  return { ...fields, [key]: replaced(fields[key], rest, by) }
}

/** As the endpoint parses it. */
const read = (value: unknown): unknown => (value === undefined ? undefined : parseLossless(JSON.stringify(value)))

const isSound = (method: CheckedMethod, result: unknown) =>
  isSoundResult(method, SAMPLE_RESULTS[method].params, read(result))

describe("Checks of results", () => {
  it.each(METHODS)("%s: a sample passes, and fails with anything else in any place", (method) => {
    const { alsoRight = {}, result } = SAMPLE_RESULTS[method]
    assert.isTrue(isSound(method, result))
    let refused = 0
    for (const place of placesOf(result)) {
      const path = place.join(".")
      const right = (alsoRight[path] ?? []).map((value) => JSON.stringify(value))
      for (const value of alsoRight[path] ?? [])
        assert.isTrue(isSound(method, replaced(result, place, value)), `${path} = ${JSON.stringify(value)}`)
      for (const value of WRONG) {
        const isTheSample = JSON.stringify(replaced(result, place, value)) === JSON.stringify(result)
        if (isTheSample || right.includes(JSON.stringify(value))) continue
        const said = `${path} = ${JSON.stringify(value)?.slice(0, 50)}`
        assert.isFalse(isSound(method, replaced(result, place, value)), said)
        refused++
      }
    }
    assert.isAbove(refused, 10)
  })

  it.each(METHODS)("%s: additional fields are ignored", (method) => {
    const { result } = SAMPLE_RESULTS[method]
    for (const place of placesOf(result)) {
      const found = place.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], result)
      if (typeof found !== "object" || found === null || Array.isArray(found)) continue
      assert.isTrue(isSound(method, replaced(result, place, { ...found, extra: [{ garbage: -1.5 }, "x"] })))
    }
  })

  it("refuse account data that is truncated or of another length than reported", () => {
    const { result } = SAMPLE_RESULTS.getMultipleAccounts
    const data = (text: unknown) => replaced(result, ["value", "0", "data"], [text, "base64"])
    for (const wrong of ["AAECAwQ", "AAECAw==", "AAEC", "AAECAwQF", "AAEC*wQ=", "=AECAwQ=", "AAECAw-="])
      assert.isFalse(isSound("getMultipleAccounts", data(wrong)), wrong)
    const large = "A".repeat(4 * 4_000_000)
    assert.isFalse(isSound("getMultipleAccounts", replaced(data(large), ["value", "0", "space"], 12_000_000)))
  })

  it("refuse a list of another length than requested, and the transaction of another signature", () => {
    for (const method of ["getMultipleAccounts", "getSignatureStatuses"] as const) {
      const { value } = SAMPLE_RESULTS[method].result as { readonly value: ReadonlyArray<unknown> }
      for (const wrong of [[], [...value, null]])
        assert.isFalse(isSound(method, { ...(SAMPLE_RESULTS[method].result as object), value: wrong }))
    }
    const [info] = SAMPLE_RESULTS.getSignaturesForAddress.result as ReadonlyArray<unknown>
    assert.isFalse(isSound("getSignaturesForAddress", [info, info]))
    const { result } = SAMPLE_RESULTS.getTransaction
    assert.isFalse(isSound("getTransaction", replaced(result, ["transaction", "signatures"], ["4".repeat(87)])))
  })

  it("refuse every result of a method without a check", () => {
    for (const method of ["getVoteAccounts", "toString", "constructor"]) assert.isFalse(isSoundResult(method, [], "ok"))
    // @ts-expect-error a method whose results are not checked cannot be called
    void Effect.flatMap(Rpc, ({ call }) => call((kit) => kit.getVoteAccounts()))
  })
})
