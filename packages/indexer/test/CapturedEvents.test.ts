import { assert, describe, it } from "@effect/vitest"
import type { DbcEvent } from "@launch-registry/chain/transactions/DbcEvent"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import { encodedEvent } from "@launch-registry/chain/dbc/EventLayouts"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import captured from "../fixtures/captured-events.json" with { type: "json" }
import { capturedTransactions } from "../src/sources/CapturedTransactions.ts"

/** An event as decoded by the program's IDL; `outer` is the index of its instruction. */
interface IdlEvent {
  readonly outer: number
  readonly name: string
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly data: any
}

const eventsOf = (launch: string, step: string) =>
  captured.find((one) => one.launch === launch && one.step === step)!.events as ReadonlyArray<IdlEvent>

const sum = (...amounts: ReadonlyArray<string>) => amounts.reduce((total, amount) => total + BigInt(amount), 0n)

/** The expected decoding of an IDL event; `undefined` for events that are read elsewhere or ignored. */
const expected = ({ data, name, outer }: IdlEvent) => {
  if (name === "EvtSwap2") {
    const { swap_result: result } = data
    return {
      type: "Swapped",
      instruction: outer,
      pool: data.pool,
      config: data.config,
      side: data.trade_direction === 1 ? "BUY" : "SELL",
      amountIn: BigInt(result.included_fee_input_amount),
      amountOut: BigInt(result.output_amount),
      fee: sum(result.trading_fee, result.protocol_fee, result.referral_fee),
      nextSqrtPrice: BigInt(result.next_sqrt_price),
    }
  }
  if (name === "EvtInitializePool") {
    const { activation_point, base_mint, config, creator, pool, pool_type } = data
    const activationPoint = BigInt(activation_point)
    return {
      type: "PoolCreated",
      instruction: outer,
      pool,
      config,
      creator,
      baseMint: base_mint,
      poolType: pool_type,
      activationPoint,
    }
  }
  if (name === "EvtCurveComplete") {
    const { base_reserve, config, pool, quote_reserve } = data
    return {
      type: "CurveComplete",
      instruction: outer,
      pool,
      config,
      baseReserve: BigInt(base_reserve),
      quoteReserve: BigInt(quote_reserve),
    }
  }
  if (name === "EvtCreateConfigV2") {
    const { config, fee_claimer, leftover_receiver, quote_mint } = data
    return {
      type: "ConfigCreated",
      instruction: outer,
      config,
      quoteMint: quote_mint,
      feeClaimer: fee_claimer,
      leftoverReceiver: leftover_receiver,
    }
  }
  const other = OTHERS[name]
  return other === undefined ? undefined : { instruction: outer, ...other(data) }
}

/** Self-contained events. */
// oxlint-disable-next-line typescript/no-explicit-any
const OTHERS: Readonly<Record<string, (data: any) => object>> = {
  EvtVirtualPoolMetadata: ({ virtual_pool, virtual_pool_metadata }) => ({
    type: "PoolMetadataCreated",
    pool: virtual_pool,
    metadata: virtual_pool_metadata,
  }),
  EvtPartnerMetadata: ({ fee_claimer, partner_metadata }) => ({
    type: "PartnerMetadataCreated",
    feeClaimer: fee_claimer,
    metadata: partner_metadata,
  }),
  EvtClaimTradingFee: (data) => ({ ...claimed(data), by: "partner" }),
  EvtClaimCreatorTradingFee: (data) => ({ ...claimed(data), by: "creator" }),
  EvtPartnerWithdrawSurplus: ({ pool, surplus_amount }) => ({
    type: "SurplusWithdrawn",
    by: "partner",
    pool,
    amount: BigInt(surplus_amount),
  }),
  EvtCreatorWithdrawSurplus: ({ pool, surplus_amount }) => ({
    type: "SurplusWithdrawn",
    by: "creator",
    pool,
    amount: BigInt(surplus_amount),
  }),
  EvtWithdrawLeftover: ({ leftover_amount, leftover_receiver, pool }) => ({
    type: "LeftoverWithdrawn",
    pool,
    receiver: leftover_receiver,
    amount: BigInt(leftover_amount),
  }),
  EvtWithdrawMigrationFee: ({ fee, flag, pool }) => ({
    type: "MigrationFeeWithdrawn",
    pool,
    flag,
    amount: BigInt(fee),
  }),
}

// oxlint-disable-next-line typescript/no-explicit-any
const claimed = ({ pool, token_base_amount, token_quote_amount }: any) => ({
  type: "TradingFeeClaimed",
  pool,
  baseAmount: BigInt(token_base_amount),
  quoteAmount: BigInt(token_quote_amount),
})

const comparable = ({ at, ...fact }: DbcEvent): Readonly<Record<string, unknown>> => ({
  instruction: at.instruction,
  ...fact,
})

describe("Every captured transaction", () => {
  it.each(capturedTransactions)(
    "$launch $step decodes to the events that the IDL decodes, once each",
    (transaction) => {
      const wanted = eventsOf(transaction.launch, transaction.step).flatMap((event) => expected(event) ?? [])
      // A migration has no event: it is read from the instruction.
      const found = decodeTransaction(transaction).filter(({ type }) => type !== "PoolMigrated")
      assert.lengthOf(found, wanted.length)
      for (const [index, event] of found.entries()) assert.deepInclude(comparable(event), wanted[index]!)
    },
  )

  it("gives the same swap from EvtSwap alone, which older versions of the program emitted", () => {
    const swaps = capturedTransactions.filter(({ step }) => step.startsWith("swap") || step.startsWith("two"))
    let compared = 0
    for (const transaction of swaps) {
      const innerInstructions = transaction.meta.innerInstructions!.map(({ index, instructions }) => ({
        index,
        instructions: instructions.filter(({ data }) => encodedEvent(data)?.name !== "EvtSwap2"),
      }))
      const older: RawTransaction = { ...transaction, meta: { ...transaction.meta, innerInstructions } }
      const isSwap = ({ type }: DbcEvent) => type === "Swapped"
      const [ours, theirs] = [decodeTransaction(older).filter(isSwap), decodeTransaction(transaction).filter(isSwap)]
      assert.lengthOf(ours, theirs.length)
      for (const [index, swap] of ours.entries()) {
        // The older event has the requested amount, which differs from the paid one in a partial fill or exact-out swap,
        // and lacks the reserve of the curve.
        const { amountIn: _ours, quoteReserve: none, ...older } = swap as Extract<DbcEvent, { type: "Swapped" }>
        const { amountIn: _theirs, quoteReserve, ...newer } = theirs[index] as Extract<DbcEvent, { type: "Swapped" }>
        assert.deepStrictEqual(older, newer)
        assert.isUndefined(none)
        assert.isDefined(quoteReserve)
        compared++
      }
    }
    assert.strictEqual(compared, 16)
  })
})
