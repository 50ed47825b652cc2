import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { isAddress } from "../src/solana/Address.ts"
import { decodeBase58, encodeBase58 } from "../src/solana/Base58.ts"
import { isSignature } from "../src/solana/Signature.ts"

const bytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))

/** Base58 by the definition: a number in base 58, with a 1 for every leading zero byte. */
const byDefinition = (input: Uint8Array): string => {
  const alphabet = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
  let value = BigInt(`0x${Buffer.from(input).toString("hex") || "0"}`)
  let text = ""
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)]! + text
  const zeros = input.findIndex((byte) => byte !== 0)
  return "1".repeat(zeros < 0 ? input.length : zeros) + text
}

describe("Base58", () => {
  it.prop("agrees with its definition and decodes to what was encoded", [bytes], ([values]) => {
    for (const input of [Uint8Array.from(values), Uint8Array.from([0, 0, ...values])]) {
      const text = encodeBase58(input)
      assert.strictEqual(text, byDefinition(input))
      assert.deepStrictEqual(decodeBase58(text), input)
    }
  })

  it("holds for every length, up to whole transactions and beyond, and for the highest bytes", () => {
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

  it("refuses every character outside the alphabet", () => {
    for (const text of ["0", "O", "I", "l", "a b", "é", "a+"]) assert.isUndefined(decodeBase58(text), text)
  })

  it("knows addresses and signatures by their bytes, not by their length in text", () => {
    assert.isTrue(isAddress("11111111111111111111111111111111"))
    assert.isTrue(isAddress("So11111111111111111111111111111111111111112"))
    assert.isFalse(isAddress("So1111111111111111111111111111111111111111"))
    assert.isFalse(isAddress(encodeBase58(new Uint8Array(33).fill(1))))
    assert.isTrue(isSignature(encodeBase58(new Uint8Array(64).fill(255))))
    assert.isFalse(isSignature(encodeBase58(new Uint8Array(63).fill(255))))
  })
})
