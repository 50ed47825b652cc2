import { assert, describe, it } from "@effect/vitest"
import { requestHash } from "@launch-registry/http/idempotency/RequestHash"
import { losslessKeys } from "@launch-registry/http/answers/LosslessKeys"
import { parseStrictJson } from "@launch-registry/http/requests/StrictJson"
import { TransactionsApi } from "@launch-registry/domain/transactions/TransactionsApi"
import { Schema } from "effect"
import { type Random, randomOf } from "../Random.ts"
import { transactionDraft } from "../Samples.ts"

const { schemas } = TransactionsApi.endpoints.create.payload.get("application/json")!
const LOSSLESS = losslessKeys(Schema.Union(schemas))

/** The hash of a body as `RequestGuard` reads it. */
const hashOf = (text: string, url = "/api/transactions") => {
  const { value } = parseStrictJson(text, LOSSLESS)
  assert.isDefined(value, text)
  return requestHash(url, JSON.parse(JSON.stringify(value))).toString("hex")
}

/** Any JSON value, of so many levels. */
const anyValue = (random: Random, depth: number): unknown => {
  const kind = random(depth === 0 ? 4 : 6)
  if (kind === 0) return random(1_000_000) / 8
  if (kind === 1) return `text "${random(1_000)}" \u2028 {}`
  if (kind === 2) return random(2) === 0
  if (kind === 3) return null
  const inner = Array.from({ length: random(5) }, () => anyValue(random, depth - 1))
  return kind === 4 ? inner : Object.fromEntries(inner.map((value, at) => [`${at % 2 === 0 ? "k" : ""}${at}`, value]))
}

/** The same value with another order of fields and other white space. */
const written = (value: unknown, random: Random): string => {
  const gap = () => [" ", "\n\t", "", "\r\n  "][random(4)]!
  if (Array.isArray(value)) return `[${gap()}${value.map((item) => written(item, random)).join(`${gap()},${gap()}`)}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const fields = Object.entries(value)
    .map((field) => [random(1_000_000), field] as const)
    .toSorted(([left], [right]) => left - right)
    .map(([, [name, inner]]) => `${JSON.stringify(name)}${gap()}:${gap()}${written(inner, random)}`)
  return `{${gap()}${fields.join(`${gap()},${gap()}`)}${gap()}}`
}

describe("The hash of a request", () => {
  it("is the same for any order of fields and white space, and differs for any other value", () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = randomOf(seed)
      const value = { a: anyValue(random, 4), b: anyValue(random, 4), seed }
      const hash = hashOf(JSON.stringify(value))
      for (let time = 0; time < 3; time++) assert.strictEqual(hashOf(written(value, random)), hash)
      assert.notStrictEqual(hashOf(written({ ...value, seed: -seed }, random)), hash)
      assert.notStrictEqual(hashOf(JSON.stringify([value])), hash)
    }
  })

  it("distinguishes amounts by value, in any notation", () => {
    const draft = transactionDraft({ amountIn: "@" })
    const of = (amount: string) => hashOf(JSON.stringify(draft).replace('"@"', amount))
    assert.notStrictEqual(of("9007199254740993"), of("9007199254740992"))
    assert.strictEqual(of("1"), of("1.0"))
    assert.strictEqual(of("1500"), of("1.5e3"))
    assert.strictEqual(of("1.5"), of('"1.5"'))
  })
})
