import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { rentOf } from "../../src/launch/Rent.ts"

const sysvar = (lamportsPerByteYear: bigint, years: number, length = 17) => {
  const data = new Uint8Array(length)
  const view = new DataView(data.buffer)
  if (length >= 16) {
    view.setBigUint64(0, lamportsPerByteYear, true)
    view.setFloat64(8, years, true)
  }
  return { owner: "Sysvar1111111111111111111111111111111111111", lamports: 1_009_200n, data }
}

describe("Rent", () => {
  it.effect("is what the chain says of an account's size, whichever way it divides price and years", () =>
    Effect.gen(function* () {
      for (const [price, years] of [[3_480n, 2] as const, [6_960n, 1] as const]) {
        const rent = yield* rentOf(sysvar(price, years))
        assert.deepStrictEqual([0, 165, 424, 1_048].map(rent), [890_880n, 2_039_280n, 3_841_920n, 8_184_960n])
      }
      assert.strictEqual((yield* rentOf(sysvar(348n, 1)))(0), 44_544n)
    }),
  )

  it.effect("is not taken from a sysvar that is none, or says what no chain does", () =>
    Effect.gen(function* () {
      const wrong = [
        ...[undefined, sysvar(3_480n, 2, 0), sysvar(3_480n, 2, 16), sysvar(3_480n, 2, 18)],
        ...[Number.NaN, Number.POSITIVE_INFINITY, -1, 1e300].map((years) => sysvar(3_480n, years)),
        ...[sysvar(2n ** 64n - 1n, 2), sysvar(6_960_001n, 1)],
      ]
      for (const account of wrong) assert.strictEqual((yield* Effect.flip(rentOf(account)))._tag, "ChainUnavailable")
    }),
  )
})
