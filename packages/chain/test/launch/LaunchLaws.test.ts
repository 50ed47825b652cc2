import { assert, describe, it } from "@effect/vitest"
import type { LaunchPurpose } from "@launch-registry/domain/launch/CreateLaunch"
import { Effect, Schema } from "effect"
import { checkFunds } from "../../src/build/FundsCheck.ts"
import type { LaunchStep } from "../../src/build/LaunchStep.ts"
import { OneStepLaunches } from "../../src/launches/OneStepLaunches.ts"
import { packLaunch, requirements } from "../../src/launches/PackLaunch.ts"
import { acceptedConfigs, seeded } from "./GeneratedConfigs.ts"
import { launchServices } from "./RealPrograms.ts"
import { walletWith } from "./Wallet.ts"

const ORDER: ReadonlyArray<LaunchPurpose> = ["config", "pool", "first_buy", "pool_metadata"]
/** Some of the steps of a launch, the pool always, and a size of each. */
const Sizes = Schema.Record(Schema.Literals(ORDER), Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })))

const stepOf = (purpose: LaunchPurpose): LaunchStep => ({
  ...{ purpose, instructions: [], keys: [], computeUnits: 0, costs: [], lent: 0n },
})

describe("Whatever the steps of a launch", () => {
  it.prop(
    "they are all there once, in order, in the fewest transactions that fit, none before what it needs",
    [Sizes],
    ([sizes]) => {
      const steps = ORDER.filter((purpose) => purpose === "pool" || sizes[purpose] > 300).map(stepOf)
      const fits = (some: ReadonlyArray<LaunchStep>) =>
        some.reduce((sum, { purpose }) => sum + sizes[purpose], 0) <= 1_200
      const groups = packLaunch(steps, fits)!
      assert.deepStrictEqual(groups.flat(), steps)
      assert.isTrue(groups.every((group) => group.length > 0 && fits(group)))
      // Greedy filling gives the fewest.
      let [fewest, filled] = [1, 0]
      for (const { purpose } of steps) {
        if (filled + sizes[purpose] > 1_200) [fewest, filled] = [fewest + 1, 0]
        filled += sizes[purpose]
      }
      assert.strictEqual(groups.length, fewest)
      for (const [at, needed] of requirements(groups).entries()) {
        assert.isTrue(needed.every((index) => index < at))
        assert.strictEqual(needed.length > 0, at > 0)
      }
    },
  )

  it("the first buy stays with the pool where that takes no more transactions", () => {
    const steps = ["config", "pool", "first_buy"].map((purpose) => stepOf(purpose as LaunchPurpose))
    const groups = packLaunch(steps, (some) => some.length <= 2)!
    assert.deepStrictEqual(
      groups.map((group) => group.map(({ purpose }) => purpose)),
      [["config"], ["pool", "first_buy"]],
    )
    assert.isUndefined(packLaunch(steps, (some) => some.every(({ purpose }) => purpose !== "config")))
  })

  const Amount = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 5_000_000 }))
  const Paid = Schema.Struct({ fees: Amount, spent: Amount, lent: Amount })
  it.prop(
    "a wallet with what is required can pay, one that cannot lacks something, and what it lacks is enough",
    [Amount, Paid, Paid],
    ([held, first, second]) => {
      const payments = [first, second].map(({ fees, lent, spent }) => ({
        ...{ fees: BigInt(fees), lent: BigInt(lent), spent: BigInt(spent) },
      }))
      const total = payments.reduce((sum, { fees, spent }) => sum + fees + spent, 0n)
      const check = (amount: bigint) => checkFunds(amount, payments, 890_880n)
      const funds = check(BigInt(held) * 4n)
      assert.isTrue(check(BigInt(funds.required)).sufficient)
      assert.isTrue(BigInt(funds.required) >= total)
      assert.strictEqual(BigInt(funds.shortfall) > 0n, !funds.sufficient)
      assert.isTrue(check(BigInt(funds.lamports) + BigInt(funds.shortfall)).sufficient)
      if (funds.sufficient) assert.isTrue(BigInt(funds.lamports) >= total)
    },
  )
})

describe("Whatever is launched", () => {
  it.live("no transaction is larger than a packet, and the parts of the cost make its total", () =>
    Effect.gen(function* () {
      const launches = yield* OneStepLaunches
      const { address: signer } = yield* walletWith(10_000_000_000_000n)
      const { int, maybe, pick } = seeded(2_107)
      let built = 0
      for (const dbcConfig of acceptedConfigs(4_712, 150)) {
        const label = {
          ...{ name: "n".repeat(int(1, 32)), symbol: "s".repeat(int(1, 10)) },
          uri: "https://e.co/".padEnd(int(13, 200), "u"),
        }
        const buy = maybe(() => ({ amountIn: BigInt(int(1, 900_000_000)) }))
        const logo = "https://e.co/".padEnd(int(13, 700), "l")
        const texts = maybe(() => ({ name: label.name, website: "https://e.co", logo }))
        const request = {
          ...{ signer, label, config: { launchpad: pick(["launchpad_a", "launchpad_b"] as const), dbcConfig } },
          ...{ mint: { _tag: "Generated" } as const, priorityFee: pick(["none", "high", 4_321n] as const) },
          ...(buy && { firstBuy: buy }),
          ...(texts && { poolMetadata: texts }),
        }
        const result = yield* Effect.result(launches.build(request))
        if (result._tag === "Failure") {
          // What the SDK or the curve refuses.
          assert.include(["InvalidRequest", "InvalidRequest"], result.failure._tag)
          continue
        }
        built++
        const { cost, quote, transactions } = result.success
        for (const { size, transaction } of transactions) {
          assert.strictEqual(Buffer.from(transaction, "base64").length, size)
          assert.isAtMost(size, 1232)
        }
        const sum = cost.parts.reduce((total, part) => total + BigInt(part.lamports), 0n)
        assert.strictEqual(cost.total, sum.toString())
        const purposes = transactions.flatMap((one) => one.purposes)
        const expected = ORDER.filter((one) => (one !== "first_buy" || buy) && (one !== "pool_metadata" || texts))
        assert.deepStrictEqual(purposes, expected)
        assert.strictEqual(quote === undefined, buy === undefined)
        if (quote) assert.isTrue(BigInt(quote.minimumAmountOut) <= BigInt(quote.expectedAmountOut))
      }
      assert.isAbove(built, 50)
    }).pipe(Effect.provide(launchServices())),
  )
})
