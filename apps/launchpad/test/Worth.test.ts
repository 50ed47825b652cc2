import type { WalletToken } from "@launch-registry/client"
import { assert, describe, it } from "vitest"
import { claimsOf, held, resultOf, sumOf, sumsOf, worthOf } from "../src/portfolio/Worth.ts"

const SOL = "So11111111111111111111111111111111111111112"

/** As a portfolio needs it. */
const token = (given: object, market: object = {}): WalletToken =>
  ({
    ...{ mintAddress: "mint", decimals: 6, amount: "5", value: "1.5", valueUsd: null, trades: 2, claimable: [] },
    ...{ bought: { quoteAmount: "2000000000" }, sold: { quoteAmount: "250000000" }, token: { symbol: "CAT" } },
    market: { quoteMint: SOL, quoteDecimals: 9, ...market },
    ...given,
  }) as unknown as WalletToken

const fee = (given: object) => ({ state: "claimable", baseAmount: "0", quoteAmount: "0", lamports: "0", ...given })

describe("What a wallet is worth", () => {
  it("is summed to the last digit, in any order", () => {
    assert.strictEqual(sumOf([]), "0")
    assert.strictEqual(sumOf(["0.1", "0.2"]), "0.3")
    assert.strictEqual(
      sumOf(["18446744073709551615.000000000000000001", "-0.000000000000000001"]),
      "18446744073709551615",
    )
    assert.strictEqual(sumOf(["1.5", "-2", "0.25"]), "-0.25")
    for (let n = 0; n < 50; n++) {
      const values = Array.from(
        { length: 6 },
        (_, at) => `${(n * 7919 * (at + 1)) % 1000}.${(n * 104729 * (at + 3)) % 99991}`,
      )
      const sum = sumOf(values)
      assert.strictEqual(sumOf(values.toReversed()), sum)
      assert.strictEqual(sumOf([sum, ...values.map((value) => `-${value}`)]), "0")
    }
  })

  it("is in dollars where each is known in dollars, and says where one is not known at all", () => {
    const inDollars = token({ valueUsd: "300.5" })
    assert.deepStrictEqual(worthOf([inDollars, inDollars]), { sums: [{ unit: "$", value: "601" }], isWhole: true })
    assert.deepStrictEqual(worthOf([inDollars, token({})]).sums, [{ unit: "SOL", value: "3" }])
    assert.deepStrictEqual(worthOf([token({ value: null }), token({})]), {
      sums: [{ unit: "SOL", value: "1.5" }],
      isWhole: false,
    })
    assert.deepStrictEqual(
      held([token({ amount: "0" }), token({ amount: null })]).map(({ amount }) => amount),
      [null],
    )
  })

  it("less what was paid is the result of a token, unless that is not known", () => {
    assert.strictEqual(resultOf(token({})), "-0.25")
    assert.strictEqual(resultOf(token({ value: null })), null)
    assert.strictEqual(resultOf(token({}, { quoteDecimals: null })), null)
    assert.strictEqual(resultOf(token({ trades: 0 })), null)
  })
})

describe("What a wallet can claim", () => {
  it("is one amount for each unit, of what can be claimed now", () => {
    const claimable = [
      fee({ quoteAmount: "5000000" }),
      fee({ lamports: "1000000000" }),
      fee({ baseAmount: "2500000" }),
      fee({ quoteAmount: "7", state: "withdrawn" }),
    ]
    assert.deepStrictEqual(claimsOf([token({ claimable }), token({ claimable: null }), token({})]), [
      {
        ...{ mint: "mint", symbol: "CAT" },
        amounts: [
          { unit: "SOL", value: "1.005" },
          { unit: "CAT (mint)", value: "2.5" },
        ],
      },
    ])
  })

  it("adds no token to SOL, or to another token, because of its symbol", () => {
    const called = (mintAddress: string, symbol: string) =>
      token({ mintAddress, token: { symbol }, claimable: [fee({ baseAmount: "2500000", lamports: "1000000000" })] })
    const claims = claimsOf([called("a", "SOL"), called("b", "CAT"), called("c", "CAT")])
    assert.deepStrictEqual(sumsOf(claims.flatMap(({ amounts }) => amounts)), [
      { unit: "SOL", value: "3" },
      { unit: "SOL (a)", value: "2.5" },
      { unit: "CAT (b)", value: "2.5" },
      { unit: "CAT (c)", value: "2.5" },
    ])
  })
})
