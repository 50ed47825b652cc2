import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isAddress } from "../../src/solana/AddressText.ts"
import { decodeBase58, encodeBase58 } from "../../src/solana/Base58.ts"
import { isSignature } from "../../src/solana/SignatureText.ts"

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

const assertIsBoth = (input: Uint8Array): void => {
  const text = encodeBase58(input)
  assert.strictEqual(text, byDefinition(input))
  assert.deepStrictEqual(decodeBase58(text), input)
}

describe("Base58", () => {
  it.prop("agrees with the definition and decodes what was encoded", [bytes], ([values]) => {
    for (const input of [Uint8Array.from(values), Uint8Array.from([0, 0, ...values])]) assertIsBoth(input)
  })

  it("works for every length, up to transactions and beyond, for the lowest and the highest bytes", () => {
    for (let length = 0; length <= 1_300; length += length < 70 ? 1 : 41)
      for (const byte of [0, 1, 255]) assertIsBoth(new Uint8Array(length).fill(byte))
  })

  it("refuses every character outside of the alphabet, at every place", () => {
    for (let code = 0; code < 0x300; code++) {
      const character = String.fromCharCode(code)
      assert.strictEqual(decodeBase58(`2${character}`) !== undefined, alphabet.includes(character), character)
    }
    const text = "z".repeat(30)
    for (let at = 0; at <= text.length; at++)
      for (const odd of ["0", " ", "\u{1f600}", "\ud83d"])
        assert.isUndefined(decodeBase58(`${text.slice(0, at)}${odd}${text.slice(at)}`))
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
