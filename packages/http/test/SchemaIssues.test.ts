import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { issuesOf } from "../src/requests/SchemaIssues.ts"
import { nearestName, suggestion } from "../src/requests/NearestName.ts"

const faultsOf = (schema: Schema.Codec<unknown, unknown>, value: unknown) => {
  const result = Schema.decodeUnknownResult(schema, { errors: "all", onExcessProperty: "error" })(value)
  assert.isTrue(Result.isFailure(result))
  return Result.isFailure(result) ? issuesOf("body", result.failure.issue) : []
}

describe("An issue", () => {
  it("in a union is about the member that was meant", () => {
    const Shape = Schema.Union([
      Schema.Struct({ kind: Schema.Literal("circle"), radius: Schema.Number }),
      Schema.Struct({ kind: Schema.Literal("square"), side: Schema.Number, label: Schema.optionalKey(Schema.String) }),
    ])
    assert.deepStrictEqual(faultsOf(Shape, { kind: "square", side: 1, lable: "x" }), [
      { path: "body.lable", message: "is not a field here; did you mean label?" },
    ])
    assert.deepStrictEqual(faultsOf(Shape, 1), [{ path: "body", message: "expected a JSON object" }])

    const Untagged = Schema.Union([
      Schema.Struct({ mint: Schema.String, amount: Schema.Number }),
      Schema.Struct({ pool: Schema.String }),
      Schema.String,
    ])
    assert.deepStrictEqual(faultsOf(Untagged, { mint: "a", amount: 1, amuont: 2 }), [
      { path: "body.amuont", message: "is not a field here; did you mean amount?" },
    ])
    assert.deepStrictEqual(faultsOf(Untagged, true), [{ path: "body", message: "expected a JSON object or a string" }])
  })

  it("of a value that may have several types is one issue", () => {
    const Either = Schema.Struct({ a: Schema.Union([Schema.String, Schema.Number]), b: Schema.NullOr(Schema.Boolean) })
    assert.deepStrictEqual(faultsOf(Either, { a: [], b: "x" }), [
      { path: "body.a", message: "expected a string or a number" },
      { path: "body.b", message: "expected a boolean (true or false) or null" },
    ])
  })

  it("that breaks two rules names the first", () => {
    const Bounded = Schema.Struct({ a: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 })) })
    const told = (a: unknown) => faultsOf(Bounded, { a }).map(({ message }) => message)
    assert.deepStrictEqual(told(-1.5), ["expected a whole number"])
    assert.deepStrictEqual(told(4), ["expected a number from 0 to 3"])
    assert.deepStrictEqual(told("x"), ["expected a number"])
  })
})

describe("A name", () => {
  const known = ["website", "twitter", "telegram", "mintAddress", "imageUri", "slippageBps"]

  it("gets a suggestion when it is misspelt, truncated or spelt as elsewhere", () => {
    const cases = { webiste: "website", mint_address: "mintAddress", MINTADDRESS: "mintAddress", image: "imageUri" }
    for (const [unknown, meant] of Object.entries(cases)) assert.strictEqual(nearestName(unknown, known), meant)
    for (const unknown of ["", "foo", "w", "xyzxyz", "__proto__", "constructor"])
      assert.isUndefined(nearestName(unknown, known), unknown)
  })

  it("that is close to no field gets the list of fields when they are few", () => {
    assert.strictEqual(suggestion("foo", ["q", "limit"]), "; known are q, limit")
    assert.strictEqual(suggestion("foo", []), "")
    assert.strictEqual(
      suggestion(
        "foo",
        Array.from({ length: 17 }, (_, at) => `name${at}`),
      ),
      "",
    )
  })

  it("of any length is cheap to check", () => {
    assert.isUndefined(nearestName("website".repeat(100_000), known))
  })
})
