import { assert, describe, it } from "@effect/vitest"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { hasDammV2Programs, launchServices } from "../../chain/test/launch/RealPrograms.ts"
import captured from "../fixtures/graduations.json" with { type: "json" }
import { type Graduation, type GraduationStep, runGraduation } from "../fixtures/Graduation.ts"
import { afterMigration, assertIndexed, filledBy, replaced, swapsOf } from "./IndexedGraduation.ts"
import { fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const GRADUATIONS = captured as unknown as ReadonlyArray<Graduation>

/** Each swap is what it did to the accounts of wallet and pool. */
const assertFills = (graduation: Graduation) => {
  const { baseMint, migratedPool, pool, quoteMint, steps, tokenA, trader } = graduation
  assert.strictEqual(tokenA, baseMint)
  for (const step of steps) {
    const swaps = swapsOf(step)
    if (step.meta.err !== null) assert.lengthOf(swaps, 0)
    else if (step.filled !== null) {
      assert.lengthOf(swaps, step.step === "damm-two-swaps" ? 2 : 1, step.step)
      assert.deepStrictEqual(filledBy(swaps), step.filled, step.step)
      for (const swap of swaps)
        assert.deepInclude(swap, { venue: "damm_v2", pool: migratedPool, baseMint, quoteMint, trader })
    } else for (const swap of swaps) assert.deepInclude(swap, { venue: "dbc", pool, baseMint, quoteMint, trader })
  }
  assert.isAtLeast(afterMigration(graduation).filter(({ meta }) => meta.err === null).length, 6)
}

describe("Swaps on the DAMM v2 pools of captured launches", () => {
  it.each(GRADUATIONS)("of $baseMint are what they did to the accounts", assertFills)

  it("say the fee of the pool, and its reserve", () => {
    const fees = GRADUATIONS[0]!.steps.filter(({ step }) => step.startsWith("damm-buy")).flatMap(swapsOf)
    assert.isNotEmpty(fees)
    // Option 2 takes 1 % of what is paid in the quote token, rounded up.
    for (const { amountIn, fee } of fees) assert.strictEqual(fee, (amountIn + 99n) / 100n)
    let reserve: bigint | undefined
    for (const { amountIn, amountOut, fee, quoteReserve, side } of afterMigration(GRADUATIONS[0]!).flatMap(swapsOf)) {
      const change = side === "BUY" ? amountIn - fee : -(amountOut + fee)
      if (reserve !== undefined) assert.strictEqual(quoteReserve, reserve + change)
      reserve = quoteReserve
    }
  })

  it.live.each(GRADUATIONS)("of $baseMint are trades, in any order", (graduation) =>
    assertIndexed(graduation, "damm_v2").pipe(Effect.provide(testIndex)),
  )

  it("count on no pool but the one that the migration made", () => {
    const other = "So11111111111111111111111111111111111111112"
    for (const { baseMint, migratedPool, pool, steps } of GRADUATIONS) {
      const swaps = steps.filter(({ filled, meta }) => filled !== null && meta.err === null)
      const pools = [pool, baseMint, other, "x", ""]
      for (const swap of swaps) {
        assert.isNotEmpty(swapsOf(swap))
        for (const another of pools)
          assert.deepStrictEqual(decodeTransaction(replaced(swap, migratedPool, another)), [], another)
        assert.deepStrictEqual(decodeTransaction(replaced(swap, baseMint, other)), [])
        assert.deepStrictEqual(decodeTransaction(replaced(swap, baseMint, migratedPool)), [])
      }
    }
  })

  it.live("of foreign pools of the same mint reach no trade and no candle", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const [{ baseMint, migratedPool }, { pool: foreign }] = GRADUATIONS as [Graduation, Graduation]
      const steps: ReadonlyArray<GraduationStep> = GRADUATIONS[0]!.steps
      const forged = replaced(afterMigration(GRADUATIONS[0]!), migratedPool, foreign)
      yield* receiveTransactions([...steps.filter(({ filled }) => filled === null), ...forged])
      yield* fold(yield* lead)
      const [found] = yield* sql`
        select count(*)::integer as trades, count(*) filter (where venue <> 'dbc')::integer as elsewhere,
          (select trades from candles where seconds = 0 and base_mint = ${baseMint})::integer as counted,
          (select count(*)::integer from dead_letters) as letters from trades`
      assert.deepStrictEqual(found as unknown, { trades: 2, elsewhere: 0, counted: 2, letters: 0 })
    }).pipe(Effect.provide(testIndex)),
  )
})

describe.skipIf(!hasDammV2Programs)("A launch on the real programs (needs the program files)", () => {
  it.live.each([
    ["an SPL token", 0, 0, {}],
    ["a Token-2022 token with a fee of its own", 1, 6, { collectFeeMode: 0, dynamicFee: 1, poolFeeBps: 120 }],
    ["a token whose AMM takes its fee from the output", 0, 6, { collectFeeMode: 1, dynamicFee: 0, poolFeeBps: 500 }],
  ] as const)("graduates and trades on: %s", ([, tokenType, option, migratedPoolFee]) =>
    Effect.gen(function* () {
      const more = option === 6 ? { migratedPoolFee } : {}
      const graduation = yield* runGraduation(tokenType, option, more).pipe(Effect.provide(launchServices()))
      assertFills(graduation)
      yield* assertIndexed(graduation, "damm_v2")
    }).pipe(Effect.provide(testIndex)),
  )
})
