import { assert, describe, it } from "@effect/vitest"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { SeededRandom } from "../fixtures/SeededRandom.ts"
import { joinBodies, readBody, transactionsIn } from "../src/inbox/ReadBody.ts"

const transactions = [...generateBlocks({ seed: 3, slots: 6, isLarge: false })].flatMap((block) => block.transactions)
const [good] = transactions as [(typeof transactions)[number]]
const read = (value: unknown) => readBody(Buffer.from(typeof value === "string" ? value : JSON.stringify(value)))

/** A range of the body, mostly a short one, replaced by another text. */
const mutated = (body: Buffer, random: SeededRandom): Buffer => {
  const from = random.between(0, body.length)
  const to = Math.min(body.length, from + (random.chance(0.8) ? random.between(0, 3) : random.between(0, 400)))
  const bits = [",", ":", "-", "1e3", "null", '"', "\\", "[]", "{}", '"slot":7,', '"meta":{},', "\u0001", "é", "\ud800"]
  const bit = random.chance(0.7)
    ? Buffer.from(bits[random.between(0, bits.length - 1)]!)
    : body.subarray(to, to + random.between(0, 40))
  return Buffer.concat([body.subarray(0, from), bit, body.subarray(to)])
}

describe("Reading bodies", () => {
  it("finds every transaction of the program in its place, whatever the white space", () => {
    for (const body of [JSON.stringify(transactions), `\n${JSON.stringify(transactions, null, 2)} `]) {
      const { elements, unreadable } = read(body)
      assert.deepStrictEqual(
        elements.map(({ value }) => value),
        transactions,
      )
      for (const [position, { slot, transaction }] of transactions.entries())
        assert.deepStrictEqual(elements[position]!.key, { slot, signature: transaction.signatures[0]! })
      assert.lengthOf(unreadable, 0)
    }
    assert.deepStrictEqual(read(good).elements[0]!.value, good)
  })

  it("takes the transactions among elements that are none, which are said to lack what they lack", () => {
    const signature = good.transaction.signatures[0]
    const { elements, unreadable } = read([
      ...[
        good,
        null,
        1,
        [good],
        {},
        { ...good, slot: "5" },
        { ...good, slot: 2 ** 53 },
        { ...good, slot: 2 ** 31 - 1 },
      ],
      ...[{ ...good, transaction: { signatures: ["no signature"] } }, { slot: 1, transaction: null }, good],
    ])
    assert.lengthOf(elements, 11)
    assert.strictEqual(transactionsIn({ elements }), 2)
    assert.deepStrictEqual(
      unreadable.map(({ reason }) => reason),
      ["no transaction", "no transaction", ...Array(5).fill("no slot"), "no signature", "no signature"],
    )
    // Those that say which they are can be fetched from the chain.
    assert.deepStrictEqual(
      unreadable.flatMap((one) => one.signature ?? []),
      [signature, signature, signature],
    )
    assert.strictEqual(unreadable[1]!.text, "1")
  })

  it("never fails: a body is read, or a single unreadable one", () => {
    const random = new SeededRandom(11)
    for (let round = 0; round < 1_000; round++) {
      let body: Buffer = Buffer.from(JSON.stringify(transactions.slice(0, random.between(1, 2))))
      for (let time = random.between(1, 3); time > 0; time--) body = mutated(body, random)
      const { elements, unreadable } = readBody(body)
      const isWhole = elements.length > 0 || unreadable.length === 0
      if (!isWhole) assert.deepStrictEqual(unreadable, [{ reason: "no JSON", text: body.toString() }])
      else assert.strictEqual(elements.length - transactionsIn({ elements }), unreadable.length)
    }
  })

  it("reads what is nested deeply, and says so where it could not be kept as text", () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
    const { elements, unreadable } = read(`[${JSON.stringify(good)},${deep}]`)
    assert.strictEqual(transactionsIn({ elements }), 1)
    assert.lengthOf(unreadable, 1)
  })

  it("counts positions through all bodies of a group", () => {
    const bodies = [read([good, 1]), read("nonsense"), read(good)]
    const { elements, unreadable } = joinBodies(bodies)
    assert.deepStrictEqual(
      elements.map(({ key }) => typeof key),
      ["object", "string", "object"],
    )
    assert.lengthOf(unreadable, 2)
  })

  it("treats a body with too many elements as a single unreadable one", () => {
    const many = `[${"1,".repeat(1_000_000)}1]`
    assert.deepStrictEqual(read(many), { elements: [], unreadable: [{ reason: "too many elements", text: many }] })
    // However short they are, all elements up to the bound are read.
    const short = `{"slot":1,"transaction":{"signatures":["${"1".repeat(64)}"]}}`
    assert.lengthOf(read(`[${Array(50_000).fill(short).join()}]`).elements, 50_000)
    assert.lengthOf(read(`[${Array(10_000).fill("1").join()}]`).elements, 10_000)
  })
})
