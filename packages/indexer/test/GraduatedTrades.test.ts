import { assert, describe, it } from "@effect/vitest"
import type { DbcEvent } from "@launch-registry/chain/launch/events/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/launch/events/DecodeTransaction"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { graduationServices, hasGraduationPrograms } from "../../chain/test/launch/GraduatedLaunch.ts"
import captured from "../fixtures/graduations.json" with { type: "json" }
import { type Graduation, type GraduationStep, runGraduation } from "../fixtures/Graduation.ts"
import { replay } from "../src/replay/Rebuild.ts"
import { Sink } from "../src/sink/Sink.ts"
import { wrongCandles } from "./CandlesOfTrades.ts"
import { digest, fold, forget, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const GRADUATIONS = captured as unknown as ReadonlyArray<Graduation>

type Swap = Extract<DbcEvent, { readonly type: "Swapped" }>
const swapsOf = (transaction: RawTransaction): ReadonlyArray<Swap> =>
  decodeTransaction(transaction).filter((event): event is Swap => event.type === "Swapped")

/** What the swaps did to the trader's accounts. */
const filledBy = (swaps: ReadonlyArray<Swap>) => {
  let [base, quote] = [0n, 0n]
  for (const { amountIn, amountOut, side } of swaps) {
    base += side === "BUY" ? amountOut : -amountIn
    quote += side === "BUY" ? -amountIn : amountOut
  }
  return { base: String(base), quote: String(quote), sqrtPrice: String(swaps.at(-1)!.nextSqrtPrice) }
}

/** The same transaction with another address in its place. */
const replaced = <A>(value: A, address: string, other: string): A =>
  JSON.parse(JSON.stringify(value).replaceAll(address, other)) as A

const afterMigration = ({ steps }: Graduation) => steps.filter(({ filled }) => filled !== null)

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

/** Every trade is in the tables, and the candles go on over both venues. */
const assertIndexed = (graduation: Graduation) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const fence = yield* lead
    yield* receiveTransactions(graduation.steps)
    yield* fold(fence)
    const clean = yield* digest
    const rows = yield* sql<{ signature: string; venue: string; pool: string }>`
      select signature, venue, pool, side, base_amount, quote_amount from trades order by ordinal`
    const wanted = graduation.steps.flatMap((step) =>
      swapsOf(step).map(({ amountIn, amountOut, pool, side, venue }) => {
        const [base, quote] = side === "BUY" ? [amountOut, amountIn] : [amountIn, amountOut]
        const signature = step.transaction.signatures[0]!
        return { signature, venue, pool, side, baseAmount: String(base), quoteAmount: String(quote) }
      }),
    )
    assert.deepStrictEqual(rows as unknown, wanted)
    assert.sameMembers([...new Set(rows.map(({ venue }) => venue))], ["dbc", "damm_v2"])
    assert.deepStrictEqual(yield* wrongCandles, [])
    const [life] = yield* sql<{ trades: bigint; close: string; mints: number }>`
      select trades, close, (select count(distinct base_mint)::integer from candles) as mints
      from candles where seconds = 0 and base_mint = ${graduation.baseMint}`
    const last = graduation.steps.findLast(({ meta }) => meta.err === null)
    assert.deepStrictEqual(life, { trades: BigInt(wanted.length), close: last!.filled!.sqrtPrice, mints: 1 })

    // Received before the migration that made their pool, and before the launch.
    yield* forget
    yield* receiveTransactions(afterMigration(graduation))
    yield* fold(fence)
    yield* receiveTransactions(graduation.steps.toReversed())
    yield* fold(fence)
    assert.deepStrictEqual(yield* digest, clean)
    yield* replay(fence)
    assert.deepStrictEqual(yield* digest, clean)

    // Dropped and delivered again, as after a fork.
    const entries = yield* sql<{ logOffset: bigint; position: number; slot: bigint; signature: string }>`
      select log_offset, position, slot, signature from inbox_transactions
      where signature = any(${afterMigration(graduation).map(({ transaction }) => transaction.signatures[0]!)}::text[])`
    yield* (yield* Sink).drop(entries, "of a dropped fork", fence)
    assert.deepStrictEqual(yield* sql`select venue from trades where venue <> 'dbc'`, [])
    assert.deepStrictEqual(yield* wrongCandles, [])
    yield* receiveTransactions(graduation.steps)
    yield* fold(fence)
    assert.deepStrictEqual(yield* digest, clean)
  })

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
    assertIndexed(graduation).pipe(Effect.provide(testIndex)),
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

describe.skipIf(!hasGraduationPrograms)("A launch on the real programs (needs the program files)", () => {
  it.live.each([
    ["an SPL token", 0, 0, {}],
    ["a Token-2022 token with a fee of its own", 1, 6, { collectFeeMode: 0, dynamicFee: 1, poolFeeBps: 120 }],
    ["a token whose AMM takes its fee from the output", 0, 6, { collectFeeMode: 1, dynamicFee: 0, poolFeeBps: 500 }],
  ] as const)("graduates and trades on: %s", ([, tokenType, option, migratedPoolFee]) =>
    Effect.gen(function* () {
      const more = option === 6 ? { migratedPoolFee } : {}
      const graduation = yield* runGraduation(tokenType, option, more).pipe(Effect.provide(graduationServices))
      assertFills(graduation)
      yield* assertIndexed(graduation)
    }).pipe(Effect.provide(testIndex)),
  )
})
