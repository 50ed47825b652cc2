import { assert, it } from "@effect/vitest"
import { CompressedAnswers } from "../src/answers/CompressedAnswers.ts"

const KIB = 1_024

it("Compressed answers are remembered up to four mebibytes, those that were last asked for", () => {
  const answers = new CompressedAnswers()
  const bytesOf = (n: number) => new Uint8Array(100 * KIB).fill(n)
  for (let n = 0; n < 40; n++) answers.add(`br ${n}`, bytesOf(n))
  assert.strictEqual(answers.size, 4_000 * KIB)
  assert.deepStrictEqual(answers.get("br 0"), bytesOf(0))
  // The one after it is the oldest now.
  answers.add("br 40", bytesOf(40))
  assert.strictEqual(answers.size, 4_000 * KIB)
  assert.isUndefined(answers.get("br 1"))
  assert.deepStrictEqual(answers.get("br 0"), bytesOf(0))
  assert.deepStrictEqual(answers.get("br 40"), bytesOf(40))
  assert.isUndefined(answers.get("gzip 40"))
})

it("A long answer is not remembered, one that is there is counted once, and nothing else is kept in memory with it", () => {
  const answers = new CompressedAnswers()
  answers.add("br long", new Uint8Array(257 * KIB))
  assert.strictEqual(answers.size, 0)
  const view = new Uint8Array(64 * KIB).subarray(0, 100)
  answers.add("br short", view)
  answers.add("br short", view)
  assert.strictEqual(answers.size, 100)
  assert.strictEqual(answers.get("br short")!.buffer.byteLength, 100)
})
