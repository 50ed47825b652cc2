import { assert, describe, it } from "@effect/vitest"
import type { SwapOutcome } from "../../src/SwapOutcome.ts"
import { DAY, factsOf, HOUR, MINUTE, outcomeOf, QUOTED_AT, type SwapFacts } from "./SwapFactsOf.ts"

const outcome = (changes: Partial<SwapFacts>) => outcomeOf(factsOf(changes))

const DEPOSIT = { depositedAmount: "1000000", originTxs: [{ hash: "0xdeposit" }] }
const DELIVERY = { ...DEPOSIT, amountOut: "990000", destinationTxs: [{ hash: "0xdelivery" }] }
const REFUND = { ...DEPOSIT, refundedAmount: "998100", refundFee: "1900", refundReason: "SLIPPAGE" }
const EXPIRED = QUOTED_AT + 31 * MINUTE

const TABLE: ReadonlyArray<[string, Partial<SwapFacts>, Partial<SwapOutcome>]> = [
  ["404 before anything is paid", { upstreamStatus: undefined }, { status: "pending", substatus: "awaiting_deposit" }],
  ["PENDING_DEPOSIT in time", {}, { status: "pending", substatus: "awaiting_deposit" }],
  ["PENDING_DEPOSIT too late", { nowMillis: EXPIRED }, { status: "failed", substatus: "expired", isWatched: true }],
  ["404 too late", { upstreamStatus: undefined, nowMillis: EXPIRED }, { status: "failed", substatus: "expired" }],
  [
    "PENDING_DEPOSIT too late with a hash",
    { nowMillis: EXPIRED, depositTxHashes: ["0xtold"] },
    { status: "pending", substatus: "deposit_seen", isWatched: true },
  ],
  [
    "PENDING_DEPOSIT too late with an amount",
    { nowMillis: EXPIRED, money: { depositedAmount: "1" } },
    { status: "pending", substatus: "deposit_seen" },
  ],
  ["KNOWN_DEPOSIT_TX", { upstreamStatus: "KNOWN_DEPOSIT_TX" }, { status: "pending", substatus: "deposit_seen" }],
  ["PROCESSING", { upstreamStatus: "PROCESSING", money: DEPOSIT }, { status: "pending", substatus: "processing" }],
  [
    "INCOMPLETE_DEPOSIT",
    { upstreamStatus: "INCOMPLETE_DEPOSIT", money: { depositedAmount: "999998" } },
    { status: "pending", substatus: "incomplete", missingAmount: "2", isWatched: true, stalled: false },
  ],
  [
    "SUCCESS with a hash on the destination chain",
    { upstreamStatus: "SUCCESS", money: { destinationTxs: [{ hash: "0xdelivery" }] } },
    { status: "success", substatus: "delivered", isWatched: false, needsReview: false },
  ],
  [
    "SUCCESS with an amount, whose hash is still to come",
    { upstreamStatus: "SUCCESS", money: { amountOut: "1" } },
    { status: "success", substatus: "delivered", isWatched: true, needsReview: false },
  ],
  [
    "SUCCESS to an account of the service, by its amount",
    { upstreamStatus: "SUCCESS", recipientType: "INTENTS", money: { amountOut: "1" } },
    { status: "success", substatus: "delivered", isWatched: false },
  ],
  [
    "SUCCESS to an account of the service, without an amount",
    { upstreamStatus: "SUCCESS", recipientType: "INTENTS", money: { destinationTxs: [{ hash: "0x1" }] } },
    { status: "pending", substatus: "needs_review", stalled: true, needsReview: true },
  ],
  [
    "SUCCESS with what was too much sent back",
    { upstreamStatus: "SUCCESS", money: { ...DELIVERY, depositedAmount: "1500000", refundedAmount: "498100" } },
    { status: "success", substatus: "delivered" },
  ],
  [
    "SUCCESS without a delivery and with a refund",
    { upstreamStatus: "SUCCESS", money: REFUND },
    { status: "failed", substatus: "refunded", needsReview: true },
  ],
  [
    "SUCCESS with an amount and everything sent back",
    { upstreamStatus: "SUCCESS", money: { ...REFUND, amountOut: "990000" } },
    { status: "failed", substatus: "refunded", needsReview: true },
  ],
  [
    "SUCCESS with a delivery and everything sent back",
    { upstreamStatus: "SUCCESS", money: { ...REFUND, ...DELIVERY } },
    { status: "pending", substatus: "needs_review", needsReview: true, isWatched: true },
  ],
  [
    "SUCCESS with nothing to show",
    { upstreamStatus: "SUCCESS", money: DEPOSIT },
    { status: "pending", substatus: "needs_review", stalled: true, needsReview: true, isWatched: true },
  ],
  ["SUCCESS without money", { upstreamStatus: "SUCCESS" }, { status: "pending", substatus: "needs_review" }],
  [
    "REFUNDED",
    { upstreamStatus: "REFUNDED", money: REFUND },
    { status: "failed", substatus: "refunded", isWatched: false, needsReview: false },
  ],
  ["REFUNDED, its amount still to come", { upstreamStatus: "REFUNDED" }, { substatus: "refunded", isWatched: true }],
  ["FAILED", { upstreamStatus: "FAILED" }, { status: "failed", substatus: "failed", isWatched: true }],
  [
    "an unknown status",
    { upstreamStatus: "SETTLING_V2", nowMillis: EXPIRED },
    { status: "pending", substatus: "unknown", isWatched: true },
  ],
]

describe("The outcome of a swap", () => {
  for (const [name, changes, expected] of TABLE)
    it(`of ${name} is ${expected.status ?? "that"}, ${expected.substatus}`, () => {
      assert.deepInclude(outcome(changes), expected)
    })

  it("of a proven end is not changed by a later answer that proves nothing", () => {
    const delivered = outcome({ upstreamStatus: "SUCCESS", money: DELIVERY })
    const refunded = outcome({ upstreamStatus: "REFUNDED", money: REFUND })
    for (const upstreamStatus of [undefined, "PENDING_DEPOSIT", "PROCESSING", "KNOWN_DEPOSIT_TX", "NEW_WORD"])
      for (const previous of [delivered, refunded])
        assert.deepInclude(outcome({ previous, upstreamStatus, money: DEPOSIT }), {
          status: previous.status,
          substatus: previous.substatus,
        })
    assert.strictEqual(outcome({ previous: delivered, upstreamStatus: "SUCCESS" }).substatus, "delivered")
    const both = { ...DELIVERY, ...REFUND }
    const contradicted = outcome({ previous: delivered, upstreamStatus: "SUCCESS", money: both })
    assert.deepInclude(contradicted, { status: "pending", substatus: "needs_review", needsReview: true })
  })

  it("is polled for as long as money may move, and no longer", () => {
    const inactive = QUOTED_AT + 72 * HOUR
    const watched = (changes: Partial<SwapFacts>) => outcome(changes).isWatched
    assert.isTrue(watched({ nowMillis: inactive + 7 * DAY - 1 }))
    assert.isFalse(watched({ nowMillis: inactive + 7 * DAY }))
    const failed = { upstreamStatus: "FAILED", lastChangeAtMillis: inactive + DAY }
    assert.isTrue(watched({ ...failed, nowMillis: inactive + 8 * DAY - 1 }))
    assert.isFalse(watched({ ...failed, nowMillis: inactive + 8 * DAY }))
    const stuck = { upstreamStatus: "PROCESSING", money: DEPOSIT }
    assert.isTrue(watched({ ...stuck, nowMillis: inactive + 30 * DAY - 1 }))
    const left = outcome({ ...stuck, nowMillis: inactive + 30 * DAY })
    assert.deepInclude(left, { status: "pending", isWatched: false, needsReview: true })
  })

  it("is stalled when nothing changes for eight estimates and at least ten minutes, and needs review after a day", () => {
    const funded = { upstreamStatus: "PROCESSING", money: DEPOSIT }
    const at = (afterMillis: number, changes: Partial<SwapFacts> = {}) =>
      outcome({ ...funded, nowMillis: QUOTED_AT + afterMillis, ...changes })
    assert.isFalse(at(10 * MINUTE).stalled)
    assert.isTrue(at(10 * MINUTE + 1).stalled)
    assert.isFalse(at(80 * MINUTE, { timeEstimateSeconds: 600 }).stalled)
    assert.isTrue(at(80 * MINUTE + 1, { timeEstimateSeconds: 600 }).stalled)
    assert.isFalse(at(DAY + 10 * MINUTE).needsReview)
    assert.isTrue(at(DAY + 10 * MINUTE + 1).needsReview)
    assert.isFalse(at(3 * DAY, { lastChangeAtMillis: QUOTED_AT + 3 * DAY }).stalled)
    assert.isFalse(outcome({ nowMillis: QUOTED_AT + 29 * MINUTE }).stalled)
  })

  it("of a deposit that is too small is stalled only when its refund is missing too", () => {
    const small = { upstreamStatus: "INCOMPLETE_DEPOSIT", money: { depositedAmount: "1" } }
    assert.isFalse(outcome({ ...small, nowMillis: QUOTED_AT + 40 * MINUTE }).stalled)
    assert.isTrue(outcome({ ...small, nowMillis: QUOTED_AT + 40 * MINUTE + 1 }).stalled)
    const enough = outcome({ upstreamStatus: "INCOMPLETE_DEPOSIT", money: DEPOSIT })
    assert.isNull(enough.missingAmount)
  })

  it("of an unpaid swap is expired at the first of its two deadlines, without review", () => {
    const early = { refundStartsAtMillis: QUOTED_AT + 30 * DAY, inactiveAtMillis: QUOTED_AT + 72 * HOUR }
    const at = (nowMillis: number, changes: Partial<SwapFacts> = {}) => outcome({ ...early, nowMillis, ...changes })
    assert.strictEqual(at(early.inactiveAtMillis - 1).substatus, "awaiting_deposit")
    const expired = { status: "failed", substatus: "expired", needsReview: false, stalled: false } as const
    assert.deepInclude(at(early.inactiveAtMillis), expired)
    assert.deepInclude(at(early.inactiveAtMillis, { isReported: true }), { substatus: "awaiting_deposit" })
    for (const isReported of [false, true])
      assert.deepInclude(at(early.inactiveAtMillis + 7 * DAY, { isReported }), { ...expired, isWatched: false })
  })
})
