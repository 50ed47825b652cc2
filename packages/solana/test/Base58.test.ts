import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isAddress } from "../src/AddressText.ts"
import { decodeBase58, encodeBase58 } from "../src/Base58.ts"
import { isSignature } from "../src/SignatureText.ts"

const bytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))

const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"

/** Base58 by the definition: a number in base 58, with a 1 for every leading zero byte. */
const byDefinition = (input: Uint8Array): string => {
  let value = BigInt(`0x${Buffer.from(input).toString("hex") || "0"}`)
  let text = ""
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)]! + text
  const zeros = input.findIndex((byte) => byte !== 0)
  return "1".repeat(zeros < 0 ? input.length : zeros) + text
}

/** `text` decoded by the definition. */
const decodedByDefinition = (text: string): Uint8Array => {
  let value = 0n
  for (const character of text) value = value * 58n + BigInt(alphabet.indexOf(character))
  const hex = value === 0n ? "" : value.toString(16)
  const zeros = /^1*/.exec(text)![0].length
  return Uint8Array.from([
    ...new Uint8Array(zeros),
    ...Buffer.from(hex.padStart(hex.length + (hex.length % 2), "0"), "hex"),
  ])
}

/** A text of the alphabet that follows from its length and a seed. */
const textOf = (length: number, seed: number): string => {
  let text = ""
  for (let state = seed + 1; text.length < length;) {
    state = (state * 48_271) % 2_147_483_647
    text += alphabet[state % 58]!
  }
  return text
}

const assertDecodes = (text: string): void => {
  const expected = decodedByDefinition(text)
  assert.deepStrictEqual(decodeBase58(text), expected)
  assert.strictEqual(encodeBase58(expected), text)
}

/** As long as an event of a swap. */
const EVENT_LENGTH = 267

describe("Base58", () => {
  it.prop("agrees with the definition and decodes what was encoded", [bytes], ([values]) => {
    for (const input of [Uint8Array.from(values), Uint8Array.from([0, 0, ...values])]) {
      const text = encodeBase58(input)
      assert.strictEqual(text, byDefinition(input))
      assert.deepStrictEqual(decodeBase58(text), input)
    }
  })

  it("works for every length, up to transactions and beyond, and for the highest bytes", () => {
    const state = Buffer.alloc(1_300)
    for (let at = 0, seed = 1; at < state.length; at++) state[at] = (seed = (seed * 48_271) % 2_147_483_647) & 255
    for (let length = 0; length <= 1_300; length += length < 70 ? 1 : 41) {
      for (const input of [Uint8Array.from(state.subarray(0, length)), new Uint8Array(length).fill(255)]) {
        const text = encodeBase58(input)
        assert.strictEqual(text, byDefinition(input))
        assert.deepStrictEqual(decodeBase58(text), input)
      }
    }
  })

  const length = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_300 }))
  const zeros = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
  const seed = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 30 }))
  it.prop("decodes any text by the definition", [length, zeros, seed], (drawn) => {
    assertDecodes("1".repeat(drawn[1]) + textOf(drawn[0], drawn[2]))
  })

  it("decodes the lowest and the highest texts of every length, also beyond whole transactions", () => {
    for (let count = 0; count <= 2_100; count += count < 300 ? 1 : 59) {
      for (const text of ["1".repeat(count), "z".repeat(count), `2${"1".repeat(count)}`, `1${"z".repeat(count)}`]) {
        assertDecodes(text)
      }
    }
  })

  it("refuses every character outside of the alphabet", () => {
    for (const text of ["0", "O", "I", "l", "a b", "é", "a+"]) assert.isUndefined(decodeBase58(text), text)
    for (let code = 0; code < 0x300; code++) {
      const character = String.fromCharCode(code)
      assert.strictEqual(decodeBase58(`2${character}`) !== undefined, alphabet.includes(character), character)
    }
    assert.isUndefined(decodeBase58("2\u{1f600}"))
    assert.isUndefined(decodeBase58("2\ud83d"))
    assert.isUndefined(decodeBase58(`${"é".repeat(2_000)}z`))
    for (let count = 2_040; count < 2_056; count++) {
      assert.isDefined(decodeBase58("z".repeat(count + 1)))
      assert.isUndefined(decodeBase58(`${"z".repeat(count)}é`))
    }
  })

  it("refuses them at any position, and decodes the next text correctly", () => {
    const text = textOf(EVENT_LENGTH, 5)
    for (let at = 0; at < text.length; at++) {
      const broken = `${text.slice(0, at)}0${text.slice(at + 1)}`
      assert.isUndefined(decodeBase58(broken))
      assertDecodes(text)
    }
  })

  it("recognizes addresses and signatures by their number of bytes, not of characters", () => {
    assert.isTrue(isAddress("11111111111111111111111111111111"))
    assert.isTrue(isAddress("So11111111111111111111111111111111111111112"))
    assert.isFalse(isAddress("So1111111111111111111111111111111111111111"))
    assert.isFalse(isAddress(encodeBase58(new Uint8Array(33).fill(1))))
    assert.isTrue(isSignature(encodeBase58(new Uint8Array(64).fill(255))))
    assert.isFalse(isSignature(encodeBase58(new Uint8Array(63).fill(255))))
  })
})
