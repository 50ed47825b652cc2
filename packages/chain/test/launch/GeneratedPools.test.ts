import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { largestThat, leastOf } from "../../src/venues/Fill.ts"
import { seeded } from "./GeneratedConfigs.ts"
import { generatedCurve } from "./GeneratedCurves.ts"
import { big, dbcOver } from "./MeteoraSdk.ts"

const QUOTES = 400
const REFERRAL = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"

describe("For generated pools", () => {
  it("quotes equal the SDK's to the unit, or both refuse; and the largest amount is the largest", async () => {
    const random = seeded(1)
    const client = dbcOver()
    const { coder } = client.pool.getProgram()
    let quoted = 0
    for (let round = 0; round < QUOTES; round++) {
      const snapshot = generatedCurve(random)
      const [swapBaseForQuote, hasReferral] = [random.pick([true, false]), random.pick([true, false])]
      const amountIn = BigInt(random.int(1, 2_000_000_000)) * 10n ** BigInt(random.int(0, 5))
      const slippageBps = random.int(0, 10_000)
      const quoteOf = await Effect.runPromise(
        snapshot.venue.quote({ swapBaseForQuote, ...(hasReferral && { referralTokenAccount: REFERRAL }) }),
      )
      const theirs = () =>
        client.pool.swapQuote({
          virtualPool: coder.accounts.decode("virtualPool", Buffer.from(snapshot.poolBytes)),
          config: coder.accounts.decode("poolConfig", Buffer.from(snapshot.configBytes)),
          swapBaseForQuote,
          amountIn: big(amountIn),
          slippageBps,
          hasReferral,
          eligibleForFirstSwapWithMinFee: false,
          currentPoint: big(snapshot.currentPoint),
        })
      let wanted: ReturnType<typeof theirs> | undefined
      try {
        wanted = theirs()
      } catch {
        assert.isUndefined(quoteOf(amountIn))
        const largest = largestThat(amountIn, (amount) => quoteOf(amount) !== undefined)
        assert.isUndefined(quoteOf(largest + 1n))
        if (largest > 0n) assert.isDefined(quoteOf(largest))
        continue
      }
      quoted++
      const fill = quoteOf(amountIn)!
      const fees = [wanted.tradingFee, wanted.protocolFee, wanted.referralFee].map((fee) => BigInt(fee.toString()))
      assert.deepInclude(fill, {
        amountOut: BigInt(wanted.outputAmount.toString()),
        fee: fees.reduce((sum, fee) => sum + fee, 0n),
      })
      assert.strictEqual(String(leastOf(fill, slippageBps)), wanted.minimumAmountOut.toString())
    }
    assert.isAbove(quoted, QUOTES / 3)
  })
})
