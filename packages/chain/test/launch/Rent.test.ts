import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rentOf } from "../../src/accounts/Rent.ts"

const sysvar = (price: bigint, threshold: number, length = 17) => {
  const data = new Uint8Array(length)
  const view = new DataView(data.buffer)
  if (length >= 16) {
    view.setBigUint64(0, price, true)
    view.setFloat64(8, threshold, true)
  }
  return { owner: "Sysvar1111111111111111111111111111111111111", lamports: 1_009_200n, data }
}

describe("Rent", () => {
  it.effect("is what the chain says of an account's size, by a threshold of 1 or 2", () =>
    Effect.gen(function* () {
      const sizes = [0, 165, 424, 1_048]
      for (const [price, threshold] of [[3_480n, 2] as const, [6_960n, 1] as const]) {
        const rent = yield* rentOf(sysvar(price, threshold))
        assert.deepStrictEqual(sizes.map(rent), [890_880n, 2_039_280n, 3_841_920n, 8_184_960n])
      }
      // Each step of mainnet, a rise above all of them, and none at all.
      for (const price of [6_333n, 5_080n, 2_575n, 1_322n, 696n, 13_920n, 0n]) {
        const rent = yield* rentOf(sysvar(price, 1))
        assert.deepStrictEqual(
          sizes.map(rent),
          sizes.map((bytes) => BigInt(128 + bytes) * price),
        )
      }
    }),
  )

  it.effect("is not taken from a sysvar that is none, or says what no chain does", () =>
    Effect.gen(function* () {
      const wrong = [
        ...[undefined, sysvar(3_480n, 2, 0), sysvar(3_480n, 2, 16), sysvar(3_480n, 2, 18)],
        ...[Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300].map((years) => sysvar(3_480n, years)),
        ...[sysvar(2n ** 64n - 1n, 2), sysvar(6_960_001n, 1)],
      ]
      for (const account of wrong) assert.strictEqual((yield* Effect.flip(rentOf(account)))._tag, "Unavailable")
    }),
  )
})
