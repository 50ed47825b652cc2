import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { examples } from "../../../../scripts/Laws.ts"
import { KNOWN_STATUSES } from "../../src/intents/IntentsSchemas.ts"
import { evidenceOf } from "../../src/intents/SwapEvidence.ts"
import { type SwapFacts, swapOutcome } from "../../src/intents/SwapOutcome.ts"
import { DAY, detailsOf, QUOTED_AT } from "./SwapFactsOf.ts"

const Amount = Schema.optionalKey(Schema.Literals(["0", "1", "998100", "999999", "1000000", "9".repeat(78)]))
const Hashes = Schema.Array(Schema.Struct({ hash: Schema.Literals(["0xa", "0xb"]) })).check(Schema.isMaxLength(2))

const Previous = Schema.Union([
  Schema.Struct({
    status: Schema.Literal("pending"),
    substatus: Schema.Literals([
      "awaiting_deposit",
      "deposit_seen",
      "processing",
      "incomplete",
      "needs_review",
      "unknown",
    ]),
  }),
  Schema.Struct({ status: Schema.Literal("success"), substatus: Schema.Literal("delivered") }),
  Schema.Struct({ status: Schema.Literal("failed"), substatus: Schema.Literals(["expired", "refunded", "failed"]) }),
])

const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60 * DAY }))

/** Any facts; documented statuses are as frequent as others. */
const Facts = Schema.Struct({
  upstreamStatus: Schema.Union([
    Schema.Literals(KNOWN_STATUSES),
    Schema.Literals(["", "success", "constructor", "__proto__", "toString", "404", "SUCCESS "]),
    Schema.String,
    Schema.Undefined,
  ]),
  details: Schema.Union([
    Schema.Undefined,
    Schema.Struct({
      amountOut: Amount,
      depositedAmount: Amount,
      refundedAmount: Amount,
      refundFee: Amount,
      originChainTxHashes: Hashes,
      destinationChainTxHashes: Hashes,
    }),
  ]),
  recipientType: Schema.Literals(["DESTINATION_CHAIN", "INTENTS"]),
  refundStartsAfter: Millis,
  inactiveAfter: Millis,
  timeEstimateSeconds: Schema.Literals([0, 27, 812, 86_400]),
  requiredAmount: Schema.Literals(["1000000", "0", "9".repeat(78)]),
  depositTxHashes: Schema.Array(Schema.Literals(["0xtold"])).check(Schema.isMaxLength(1)),
  isReported: Schema.Boolean,
  isDepositShown: Schema.Boolean,
  previous: Schema.Union([Schema.Undefined, Previous]),
  lastChangeAfter: Millis,
  nowAfter: Millis,
})

const factsOf = (given: typeof Facts.Type): SwapFacts => ({
  upstreamStatus: given.upstreamStatus,
  details: given.details === undefined ? undefined : detailsOf(given.details),
  recipientType: given.recipientType,
  refundStartsAtMillis: QUOTED_AT + given.refundStartsAfter,
  inactiveAtMillis: QUOTED_AT + given.inactiveAfter,
  timeEstimateSeconds: given.timeEstimateSeconds,
  requiredAmount: given.requiredAmount,
  depositTxHashes: given.depositTxHashes,
  isReported: given.isReported,
  isDepositShown: given.isDepositShown,
  deliveredAmount: given.details?.amountOut,
  leastAmountOut: "998100",
  previous: given.previous,
  lastChangeAtMillis: QUOTED_AT + given.lastChangeAfter,
  nowMillis: QUOTED_AT + given.nowAfter,
})

const law = (title: string, holds: (facts: SwapFacts) => void) =>
  it.effect.prop(title, [Facts], ([given]) => Effect.sync(() => holds(factsOf(given))), {
    arbitrary: { runs: examples(100, 5_000) },
  })

const FINAL: Readonly<Record<string, string>> = {
  delivered: "success",
  refunded: "failed",
  failed: "failed",
  expired: "failed",
}
const isSettled = ({ previous }: SwapFacts): boolean =>
  previous !== undefined && previous.status !== "pending" && previous.substatus !== "expired"

describe("For any answer of the upstream", () => {
  law("the outcome is deterministic, and its status matches its substatus", (facts) => {
    const outcome = swapOutcome(facts)
    assert.strictEqual(outcome.status, FINAL[outcome.substatus] ?? "pending")
    assert.deepStrictEqual(swapOutcome(facts), outcome)
  })

  law("a success is a proven delivery, and never a refund", (facts) => {
    if (facts.previous?.status === "success" || swapOutcome(facts).status !== "success") return
    const evidence = evidenceOf(facts)
    assert.strictEqual(facts.upstreamStatus, "SUCCESS")
    assert.isTrue(evidence.isDelivered)
    assert.isFalse(evidence.isRefundedInFull)
  })

  law("SUCCESS without a delivery needs review", (facts) => {
    if (facts.upstreamStatus !== "SUCCESS" || evidenceOf(facts).isDelivered) return
    const outcome = swapOutcome(facts)
    assert.isTrue(outcome.needsReview)
    if (facts.previous?.status !== "success") assert.notStrictEqual(outcome.status, "success")
  })

  law("REFUNDED is failed, and so is FAILED", (facts) => {
    for (const upstreamStatus of ["REFUNDED", "FAILED"])
      assert.strictEqual(swapOutcome({ ...facts, upstreamStatus }).status, "failed")
  })

  law("a swap with a known deposit never expires by our clock", (facts) => {
    if (!evidenceOf(facts).hasDeposit || isSettled(facts)) return
    if (facts.upstreamStatus === "REFUNDED" || facts.upstreamStatus === "FAILED") return
    for (const nowMillis of [facts.nowMillis, facts.inactiveAtMillis + 365 * DAY]) {
      const outcome = swapOutcome({ ...facts, nowMillis })
      if (outcome.status === "failed") assert.isTrue(evidenceOf(facts).isRefunded)
      assert.notStrictEqual(outcome.substatus, "expired")
    }
  })

  law("time alone changes nothing but expiry", (facts) => {
    const [early, late] = [QUOTED_AT, facts.inactiveAtMillis + 365 * DAY].map((nowMillis) =>
      swapOutcome({ ...facts, nowMillis }),
    )
    if (late!.substatus !== "expired") assert.strictEqual(late!.substatus, early!.substatus)
  })

  law("a report alone neither reopens an expired swap nor keeps one from ending", (facts) => {
    const told = { ...facts, details: undefined, depositTxHashes: [], isDepositShown: false, isReported: true }
    const late = { ...told, nowMillis: Math.max(facts.nowMillis, facts.refundStartsAtMillis, facts.inactiveAtMillis) }
    const expired = { status: "failed", substatus: "expired" } as const
    for (const upstreamStatus of ["PENDING_DEPOSIT", undefined]) {
      assert.deepInclude(swapOutcome({ ...late, upstreamStatus, previous: expired }), expired)
      const nowMillis = facts.inactiveAtMillis + 365 * DAY
      assert.deepInclude(swapOutcome({ ...told, upstreamStatus, nowMillis, previous: undefined }), {
        ...expired,
        needsReview: false,
      })
    }
  })

  law("a deposit that the service reported once stays known", (facts) => {
    const seen = swapOutcome({ ...facts, upstreamStatus: "KNOWN_DEPOSIT_TX" })
    assert.isTrue(seen.isDepositShown)
    const later = {
      ...facts,
      previous: seen,
      isDepositShown: seen.isDepositShown,
      details: undefined,
      isReported: false,
    }
    for (const upstreamStatus of ["PENDING_DEPOSIT", undefined]) {
      const outcome = swapOutcome({ ...later, upstreamStatus, nowMillis: facts.inactiveAtMillis + 365 * DAY })
      assert.strictEqual(outcome.substatus, seen.substatus)
      assert.isTrue(outcome.isDepositShown)
    }
  })

  law("a delivery below the minimum is a success that needs review", (facts) => {
    const outcome = swapOutcome({ ...facts, leastAmountOut: "998100", deliveredAmount: "998099" })
    assert.strictEqual(outcome.isShort, outcome.substatus === "delivered")
    if (outcome.isShort) assert.deepInclude(outcome, { status: "success", needsReview: true })
    assert.isFalse(swapOutcome({ ...facts, leastAmountOut: "998100", deliveredAmount: "998100" }).isShort)
  })

  law("a late deposit reopens an expired swap", (facts) => {
    const previous = { status: "failed", substatus: "expired" } as const
    for (const upstreamStatus of ["KNOWN_DEPOSIT_TX", "PROCESSING", "INCOMPLETE_DEPOSIT"])
      assert.strictEqual(swapOutcome({ ...facts, previous, upstreamStatus }).status, "pending")
    const told = { ...facts, previous, details: undefined, depositTxHashes: ["0xlate"] }
    for (const upstreamStatus of ["PENDING_DEPOSIT", undefined])
      assert.strictEqual(swapOutcome({ ...told, upstreamStatus }).status, "pending")
  })

  law("an unknown status is flagged, and ends nothing", (facts) => {
    const isKnown = facts.upstreamStatus === undefined || KNOWN_STATUSES.some((known) => known === facts.upstreamStatus)
    const outcome = swapOutcome(facts)
    assert.strictEqual(outcome.isUnknownUpstream, !isKnown)
    if (isKnown) return
    if (isSettled(facts)) assert.strictEqual(outcome.status, facts.previous!.status)
    else assert.deepInclude(outcome, { status: "pending", substatus: "unknown" })
  })

  law("a proven end stays, unless the service reports another end", (facts) => {
    if (!isSettled(facts) || facts.previous!.substatus === "failed") return
    const { isDelivered, isRefunded } = evidenceOf(facts)
    const isOther = facts.upstreamStatus === "SUCCESS" && (isDelivered || isRefunded)
    if (isOther || facts.upstreamStatus === "REFUNDED" || facts.upstreamStatus === "FAILED") return
    assert.deepInclude(swapOutcome(facts), facts.previous!)
  })

  law("a swap that may still change is polled while its address is active, or needs review", (facts) => {
    const outcome = swapOutcome(facts)
    if (outcome.status === "pending" && !outcome.isWatched) assert.isTrue(outcome.needsReview)
    if (outcome.status !== "pending" && outcome.substatus !== "expired") return
    assert.isTrue(swapOutcome({ ...facts, nowMillis: facts.inactiveAtMillis }).isWatched)
  })

  law("FAILED is polled for seven days", (facts) => {
    const failed = { ...facts, upstreamStatus: "FAILED" }
    const watchedAfter = (millis: number) =>
      swapOutcome({ ...failed, nowMillis: facts.lastChangeAtMillis + millis }).isWatched
    assert.isTrue(watchedAfter(7 * DAY - 1))
    assert.isFalse(watchedAfter(7 * DAY))
  })

  law("the missing amount is the requested one minus the deposited one, and positive", (facts) => {
    const { missingAmount, substatus } = swapOutcome(facts)
    if (missingAmount === undefined) return
    assert.strictEqual(substatus, "incomplete")
    assert.isTrue(BigInt(missingAmount) > 0n)
    const together = BigInt(missingAmount) + BigInt(facts.details!.depositedAmount!)
    assert.strictEqual(together.toString(), facts.requiredAmount)
  })

  law("no swap is stalled before its payment or after its end", (facts) => {
    const outcome = swapOutcome(facts)
    if (outcome.stalled) assert.strictEqual(outcome.status, "pending")
    if (outcome.substatus === "awaiting_deposit") assert.isFalse(outcome.stalled)
  })
})
