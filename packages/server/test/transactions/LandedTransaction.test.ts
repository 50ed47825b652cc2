import { assert, describe, it } from "@effect/vitest"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import captured from "../../../indexer/fixtures/captured-transactions.json" with { type: "json" }
import graduations from "../../../indexer/fixtures/graduations.json" with { type: "json" }
import type { Graduation } from "../../../indexer/fixtures/Graduation.ts"
import { relayed } from "../../../indexer/test/LaterTransactions.ts"
import {
  SOL,
  sampleAddress,
  sampleProgramAddress,
  sampleSignature,
  sampleWallet,
} from "../../../service/test/Samples.ts"
import { landedVerdict } from "../../src/transactions/LandedTransaction.ts"

const RENT = 2_039_280
const FEE = 5_000
const [USER, MINT, OTHER, POOL] = [sampleWallet(), sampleAddress(), sampleAddress(), sampleAddress()]

/** A token account of the user: mint, lamports and tokens, before and after. */
type Held = readonly [mint: string, lamports: readonly [number, number], tokens: readonly [number, number]]

const tokenBalances = (owner: string, held: ReadonlyArray<Held>, first: number) => {
  const at = (when: 0 | 1) =>
    held.flatMap(([mint, lamports, tokens], index) =>
      lamports[when] === 0
        ? []
        : [
            {
              ...{ accountIndex: first + index, mint, owner },
              uiTokenAmount: { amount: String(tokens[when]), decimals: 6 },
            },
          ],
    )
  return { preTokenBalances: at(0), postTokenBalances: at(1) }
}

/** A transaction of the user that changed its lamports, without the fee, and its token accounts. */
const transactionOf = (lamports: number, ...held: ReadonlyArray<Held>) => ({
  ...{ slot: 90, blockTime: 1_700_000_000, version: "legacy" },
  meta: {
    ...{ err: null, fee: FEE, innerInstructions: [], ...tokenBalances(USER, held, 2) },
    preBalances: [1e9, 0, ...held.map(([, [before]]) => before)],
    postBalances: [1e9 + lamports - FEE, 0, ...held.map(([, [, after]]) => after)],
  },
  transaction: {
    signatures: [sampleSignature()],
    message: { accountKeys: [USER, POOL, ...held.map(sampleAddress)], instructions: [] },
  },
})

/** The same, whose fee and rent another wallet paid. */
const sponsored = (lamports: number, ...held: ReadonlyArray<Held>) => {
  const { meta, transaction, ...block } = transactionOf(lamports, ...held)
  const { message, signatures } = transaction
  return {
    ...block,
    meta: {
      ...{ ...meta, ...tokenBalances(USER, held, 3) },
      preBalances: [1e9, ...meta.preBalances],
      postBalances: [1e9 - FEE - RENT, ...meta.postBalances.with(0, 1e9 + lamports)],
    },
    transaction: {
      signatures: [...signatures, sampleSignature()],
      message: { ...message, accountKeys: [sampleWallet(), ...message.accountKeys] },
    },
  }
}

const recordOf = (fields: object) => ({
  ...{ id: "", txHash: "", userAddress: USER, action: "BUY" as const, baseToken: MINT, quoteToken: SOL },
  ...{ poolAddress: POOL, amountInDecimals: 9, amountOutDecimals: 9, isPoolOfLaunch: false, ...fields },
})

const verdictOf = (answer: object, fields: object) => {
  const verdict = landedVerdict(answer, recordOf(fields))
  return verdict._tag === "Agreed" ? [verdict.amounts.amountIn, verdict.amounts.amountOut] : verdict._tag
}

const volumeOf = (answer: object, fields: object) => {
  const verdict = landedVerdict(answer, recordOf(fields))
  return verdict._tag === "Agreed" ? verdict.amounts.quoteVolume : verdict._tag
}

const BUY = { action: "BUY" }
const SELL = { action: "SELL" }

describe("What a transaction says of a trade on a pool of another program", () => {
  it("has no rent of the user's token accounts as a payment, whether they are created or closed", () => {
    const created: Held = [MINT, [0, RENT], [0, 7_000]]
    assert.deepStrictEqual(verdictOf(transactionOf(-1_000 - RENT, created), BUY), ["1000", "7000"])
    assert.deepStrictEqual(verdictOf(sponsored(-1_000, created), BUY), ["1000", "7000"])
    // Two transfers look the same.
    assert.isNull(volumeOf(transactionOf(-1_000 - RENT, created), BUY))
    const closed: Held = [MINT, [RENT, 0], [7_000, 0]]
    assert.deepStrictEqual(verdictOf(transactionOf(900 + RENT, closed), SELL), ["7000", "900"])
    // Wrapped SOL that it had before, in an account that ends with the trade.
    const wrapped: Held = [SOL, [RENT + 1_000, 0], [1_000, 0]]
    assert.deepStrictEqual(verdictOf(transactionOf(0, wrapped, created), BUY), ["1000", "7000"])
  })

  it("is what it holds more of wrapped SOL and of SOL, however much was unwrapped, and whether the account was closed or not", () => {
    const sold: Held = [MINT, [RENT, RENT], [7_000, 0]]
    for (const [wrapped, lamports] of [
      [3_000, 0],
      [1_000, 2_000],
      [0, 3_000],
    ] as const) {
      const kept: Held = [SOL, [RENT, RENT + wrapped], [0, wrapped]]
      assert.deepStrictEqual(verdictOf(transactionOf(lamports, sold, kept), SELL), ["7000", "3000"])
    }
    const closed: Held = [SOL, [RENT, 0], [0, 0]]
    assert.deepStrictEqual(verdictOf(transactionOf(3_000 + RENT, sold, closed), SELL), ["7000", "3000"])
  })

  it("is unknown where other payments of SOL outweigh it, and what the token says otherwise", () => {
    const less: Held = [MINT, [RENT, RENT], [7_000, 1_000]]
    const more: Held = [MINT, [RENT, RENT], [1_000, 7_000]]
    const same: Held = [MINT, [RENT, RENT], [7_000, 7_000]]
    assert.strictEqual(verdictOf(transactionOf(-4_000, less), SELL), "Unknown")
    assert.strictEqual(verdictOf(transactionOf(4_000, more), BUY), "Unknown")
    assert.strictEqual(verdictOf(transactionOf(-4_000, less), BUY), "Contradicted")
    assert.strictEqual(verdictOf(transactionOf(-4_000, more), SELL), "Contradicted")
    assert.strictEqual(verdictOf(transactionOf(-4_000, same), SELL), "Contradicted")
    const paid: Held = [OTHER, [RENT, RENT], [500, 500]]
    assert.strictEqual(verdictOf(transactionOf(0, more, paid), { ...BUY, quoteToken: OTHER }), "Contradicted")
  })
})

describe("What a transaction says of a trade that was paid in another token than the pool's", () => {
  const answer = captured.find(({ step }) => step === "swap-buy")!
  const trade = {
    userAddress: "37g9o1WbsndZUP9ytYBQ29C2KdoP25nzG5UY6KgwN21e",
    baseToken: "2Fiik5PmHBGE9AU7b3UA9FhVLtQaQaYxsLLzBdjmK9w1",
    poolAddress: "FxbiJ5RoUT5nVEBTSY5cRuUHe97Q9xAmCPT6UZaAQ1Na",
    isPoolOfLaunch: true,
  }
  const paying = (bought: number) => ({
    ...answer,
    meta: {
      ...answer.meta,
      ...tokenBalances(
        trade.userAddress,
        [
          [trade.baseToken, [RENT, RENT], [0, bought]],
          [OTHER, [RENT, RENT], [200, 50]],
        ],
        1,
      ),
    },
  })

  it("is what the holdings of the user say", () => {
    const whole = paying(40_519_499_077_952)
    assert.deepStrictEqual(verdictOf(whole, { ...trade, quoteToken: OTHER }), ["150", "40519499077952"])
    assert.deepStrictEqual(verdictOf(whole, trade), ["1000000000", "40519499077952"])
    // The user may have sent away any amount of a token of its own.
    assert.isNull(volumeOf(whole, { ...trade, quoteToken: OTHER }))
    for (const isPoolOfLaunch of [true, false])
      assert.strictEqual(volumeOf(whole, { ...trade, isPoolOfLaunch }), "1000000000e-9")
    assert.strictEqual(verdictOf(whole, { ...trade, quoteToken: sampleAddress() }), "Contradicted")
    assert.strictEqual(verdictOf(whole, { ...trade, ...SELL, quoteToken: OTHER }), "Contradicted")
    assert.strictEqual(verdictOf(whole, { ...trade, quoteToken: OTHER, userAddress: USER }), "Contradicted")
    assert.strictEqual(verdictOf(answer, { ...trade, quoteToken: OTHER }), "Unknown")
  })

  it("is no volume of those for whom a program made it: each of them may have signed", () => {
    const [trader, signer] = [sampleProgramAddress(), sampleWallet()]
    const made = relayed(paying(1) as unknown as Graduation["steps"][number], {
      heights: 1,
      trader,
      wallet: trade.userAddress,
    })
    const { message, signatures } = made.transaction
    const signed = {
      ...made,
      transaction: { message: { ...message, accountKeys: message.accountKeys.with(0, signer) }, signatures },
    }
    assert.isNull(volumeOf(signed, { ...trade, userAddress: signer }))
    assert.strictEqual(volumeOf(signed, { ...trade, userAddress: trader }), "1000000000e-9")
  })

  it("is volume on an AMM pool where the index knows it as a launch's: anybody opens another one", () => {
    const steps = (graduations as unknown as ReadonlyArray<Graduation>).flatMap((one) => one.steps)
    const swaps = steps.flatMap((step) =>
      decodeTransaction(step).flatMap((event) =>
        event.type === "Swapped" && event.venue === "damm_v2" ? [{ step, event }] : [],
      ),
    )
    assert.isNotEmpty(swaps)
    for (const { event, step } of swaps) {
      const { baseMint: baseToken, pool: poolAddress, quoteMint: quoteToken, side: action, trader: userAddress } = event
      const record = { baseToken, poolAddress, quoteToken, action, userAddress }
      const meta = { ...step.meta, ...tokenBalances(userAddress, [[baseToken, [RENT, RENT], [0, 0]]], 0) }
      const answer = { ...step, meta }
      assert.match(String(volumeOf(answer, { ...record, isPoolOfLaunch: true })), /^[1-9]\d*e-9$/)
      assert.isNull(volumeOf(answer, record))
    }
  })

  it("is unknown where a node answers amounts in another form", () => {
    const record = { ...trade, quoteToken: OTHER }
    const whole = paying(40_519_499_077_952)
    for (const uiTokenAmount of [undefined, null, { amount: "1.5", decimals: 6 }, { decimals: 6 }])
      assert.strictEqual(
        verdictOf(
          {
            ...whole,
            meta: { ...whole.meta, postTokenBalances: [{ ...whole.meta.postTokenBalances[0]!, uiTokenAmount }] },
          },
          record,
        ),
        "Unknown",
      )
    const fraction = transactionOf(-0.5, [MINT, [RENT, RENT], [0, 7_000]])
    assert.strictEqual(verdictOf(fraction, BUY), "Unknown")
  })
})
