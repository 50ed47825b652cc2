import { assert, describe, it } from "@effect/vitest"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { SeededRandom } from "../fixtures/SeededRandom.ts"
import { takenOf } from "./TakenByDecoding.ts"
import { parseBody, type ReadBody, readBody } from "../src/inbox/ReadBody.ts"
import { TransactionElement } from "../src/inbox/TransactionElement.ts"

const transactions = [...generateBlocks({ seed: 3, slots: 6, isLarge: false })].flatMap((block) => block.transactions)
const TEXTS = transactions.map((transaction) => JSON.stringify(transaction))

/** Asserts the result of JSON.parse; returns how many elements were read without it. */
const assertSame = (body: Uint8Array): number => {
  const read = readBody(body)
  const parsed: ReadBody = parseBody(Buffer.from(body).toString())
  assert.deepStrictEqual(
    read.elements.map(({ key }) => key),
    parsed.elements.map(({ key }) => key),
  )
  assert.deepStrictEqual(read.unreadable, parsed.unreadable)
  let scanned = 0
  for (const [position, element] of read.elements.entries()) {
    const value = parsed.elements[position]!.read()
    const isScanned = element instanceof TransactionElement
    if (isScanned) scanned++
    if (isScanned) assert.deepStrictEqual(takenOf(element.read()), takenOf(value))
    else assert.deepStrictEqual(element.read(), value)
  }
  return scanned
}

const LITTLE = [
  "",
  " ",
  "\n\t",
  ",",
  ":",
  "0",
  "-",
  "1e3",
  "1.5",
  "-0",
  "01",
  "null",
  "nul",
  '"',
  "\\",
  "\\u0041",
  '"a"',
  "[",
  "]",
]
const MORE = [
  "{",
  "}",
  "[]",
  "{}",
  '"slot":7,',
  '"meta":{},',
  '"\\u006deta":null,',
  '"err":1,',
  '\\"',
  "\u0001",
  "é",
  "\ufeff",
  "\ud800",
]
const BITS = [...LITTLE, ...MORE]
  .map((text) => Buffer.from(text))
  .concat([Buffer.of(0xff), Buffer.of(0xe2, 0x82), Buffer.of(0)])

/** A range of the body, mostly a short one, replaced by another text. */
const mutated = (body: Buffer, random: SeededRandom): Buffer => {
  const from = random.between(0, body.length)
  const to = Math.min(body.length, from + (random.chance(0.8) ? random.between(0, 3) : random.between(0, 400)))
  const bit = random.chance(0.7)
    ? BITS[random.between(0, BITS.length - 1)]!
    : body.subarray(to, to + random.between(0, 40))
  return Buffer.concat([body.subarray(0, from), bit, body.subarray(to)])
}

describe("Reading bodies without JSON.parse", () => {
  it("equals parsing for every transaction of the program", () => {
    assert.strictEqual(assertSame(Buffer.from(`[${TEXTS.join(",")}]`)), TEXTS.length)
    assert.strictEqual(assertSame(Buffer.from(JSON.stringify(transactions, null, 2))), TEXTS.length)
    for (const text of TEXTS) assert.strictEqual(assertSame(Buffer.from(text)), 1)
  })

  it("equals parsing after any change of a body", () => {
    const random = new SeededRandom(11)
    for (let round = 0; round < 6_000; round++) {
      const at = random.between(0, TEXTS.length - 1)
      let body: Buffer = Buffer.from(random.chance(0.5) ? TEXTS[at]! : `[${TEXTS.slice(at, at + 2).join(",")}]`)
      const times = random.between(1, 3)
      for (let time = 0; time < times; time++) body = mutated(body, random)
      assertSame(body)
    }
  })

  it("equals parsing for members that are repeated, escaped, or of another type", () => {
    const [text] = TEXTS as [string]
    const values = [
      "null",
      "1",
      '"x"',
      "[]",
      "{}",
      '{"err":null}',
      '{"signatures":["x"]}',
      "[[]]",
      "true",
      "3e8",
      "-0",
      "12345678901",
    ]
    const names = [
      ...["slot", "meta", "err", "transaction", "message", "signatures", "blockTime", "__proto__", "index"],
      ...["programIdIndex", "accounts", "data", "stackHeight", "instructions", "innerInstructions"],
      ...["accountKeys", "loadedAddresses", "writable", "readonly", "postTokenBalances"],
    ]
    for (const name of names) {
      for (const value of values) {
        assertSame(Buffer.from(text.replace("{", `{"${name}":${value},`)))
        assertSame(Buffer.from(`${text.slice(0, -1)},"${name}":${value}}`))
        assertSame(Buffer.from(text.replace('"meta":{', `"meta":{"${name}":${value},`)))
        assertSame(Buffer.from(text.replace('"transaction":{', `"transaction":{"${name}":${value},`)))
        assertSame(Buffer.from(text.replace('"message":{', `"message":{"${name}":${value},`)))
        assertSame(Buffer.from(text.replaceAll('{"accounts":', `{"${name}":${value},"accounts":`)))
        assertSame(Buffer.from(text.replaceAll('"stackHeight":', `"${name}":${value},"stackHeight":`)))
        assertSame(Buffer.from(text.replace(new RegExp(`"${name}":`), `"${name.replace("e", "\\u0065")}":`)))
        assertSame(Buffer.from(text.replace(new RegExp(`"${name}":`), `"${name}":${value},"other":`)))
      }
    }
  })

  it("equals parsing for numbers and strings at every position, with and without backslashes", () => {
    const numbers = [
      "0",
      "7",
      "12",
      "007",
      "10",
      "1234",
      "12345",
      "1234567890",
      "01234567",
      "-1",
      "1.5",
      "2e9",
      "12a45",
      "1234/",
      "123:",
      "1/34",
      "1:34",
      "12é4",
    ]
    const strings = [
      "",
      "a",
      "abc",
      "abcd",
      "\u007f",
      "a\u0001b",
      "abcd\u001f",
      "a\tb",
      " !#[]^~",
      "a\\nb",
      "\\u00e9",
      "é",
      "aé\u0002",
      "x".repeat(43),
    ]
    const values = [...numbers, ...strings.map((text) => `"${text}"`), '"abc', '"a\\"', "", " 5 ", "[1,2]", "{}"]
    for (const value of values)
      for (const lead of ["", "1,", "1234,5,", "1, ", '"a",', "[],", "1,,", "0123,"])
        for (const rest of ["", ",2", " , 2345678", ',"b"', ",", ",01", "]"])
          for (const other of ["", '{"a":"é"},', '{"a":"\\n"},']) {
            assertSame(Buffer.from(`[${other}{"a":[${lead}${value}${rest}]}]`))
            assertSame(Buffer.from(`[${other}{"a":${value}${rest}}]`))
          }
  })

  it("equals parsing for transactions in bodies with escaped or non-ASCII characters", () => {
    for (const text of TEXTS)
      for (const log of ["é", "\\n", '\\"meta\\":', "\u{1f600}"]) {
        const changed = text.replace('"meta":{', `"meta":{"log":"${log}",`)
        assert.strictEqual(assertSame(Buffer.from(`[${text},${changed},${text}]`)), 3)
      }
  })

  it("equals parsing for nested, empty and malformed texts", () => {
    const deep = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    for (const depth of [1, 29, 30, 31, 32, 33, 100, 1_000]) {
      assertSame(Buffer.from(deep(depth)))
      assertSame(Buffer.from(`[${TEXTS[0]!.replace('"err":null', `"err":${deep(depth)}`)}]`))
      assertSame(Buffer.from(`[${TEXTS[0]!.replace('"fee":', `"other":${deep(depth)},"fee":`)}]`))
    }
    for (const bit of BITS) for (const other of BITS) assertSame(Buffer.concat([bit, other]))
    for (const bit of BITS) assertSame(Buffer.concat([Buffer.from(TEXTS[0]!), bit]))
    for (const number of [
      "0",
      "-",
      "-1",
      "00",
      "0.",
      "0.5",
      ".5",
      "1e",
      "1E+5",
      "1e-05",
      "1e+",
      "+1",
      "0x1",
      "1_0",
      "-.5",
      "2.",
    ])
      for (const text of [number, `[${number}]`, `[${number},1]`, `{"a":${number}}`, `{"a":${number} }`])
        assertSame(Buffer.from(text))
  })

  it("treats a body with too many elements as a single unreadable one", () => {
    const many = Buffer.from(`[${"1,".repeat(1_000_000)}1]`)
    const read = readBody(many)
    assert.deepStrictEqual(read, { elements: [], unreadable: [{ reason: "too many elements", text: many.toString() }] })
    assert.deepStrictEqual(parseBody(many.toString()), read)
    // However short they are, all elements up to the bound are read.
    const short = `{"slot":1,"transaction":{"signatures":["${"1".repeat(64)}"]}}`
    assert.lengthOf(readBody(Buffer.from(`[${Array(50_000).fill(short).join()}]`)).elements, 50_000)
    assert.lengthOf(readBody(Buffer.from(`[${Array(10_000).fill("1").join()}]`)).elements, 10_000)
  })
})
