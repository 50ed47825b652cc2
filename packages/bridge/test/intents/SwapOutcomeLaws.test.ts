import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { examples } from "../../../../scripts/Laws.ts"
import { DAY, outcomeOf as swapOutcome, QUOTED, QUOTED_AT, type SwapFacts } from "./SwapFactsOf.ts"

const KNOWN_STATUSES = [
  ...(["PENDING_DEPOSIT", "KNOWN_DEPOSIT_TX", "INCOMPLETE_DEPOSIT", "PROCESSING"] as const),
  ...(["SUCCESS", "REFUNDED", "FAILED"] as const),
]

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
  money: Schema.Union([
    Schema.Undefined,
    Schema.Struct({
      amountOut: Amount,
      depositedAmount: Amount,
      refundedAmount: Amount,
      refundFee: Amount,
      originTxs: Hashes,
      destinationTxs: Hashes,
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
  money: given.money ?? {},
  recipientType: given.recipientType,
  refundStartsAtMillis: QUOTED_AT + given.refundStartsAfter,
  inactiveAtMillis: QUOTED_AT + given.inactiveAfter,
  timeEstimateSeconds: given.timeEstimateSeconds,
  requiredAmount: given.requiredAmount,
  depositTxHashes: given.depositTxHashes,
  isReported: given.isReported,
  isDepositShown: given.isDepositShown,
  leastAmountOut: "998100",
  previous: given.previous ?? QUOTED,
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
  previous.status !== "pending" && previous.substatus !== "expired"

const isMore = (amount: string | null | undefined): boolean => BigInt(amount ?? "0") > 0n
const hasAny = (list: ReadonlyArray<unknown> | undefined): boolean => list !== undefined && list.length > 0

/** What the money of a swap proves, whatever its status is. */
const evidenceOf = ({ depositTxHashes, isDepositShown, money, recipientType }: SwapFacts) => ({
  hasDeposit: isDepositShown || depositTxHashes.length > 0 || isMore(money.depositedAmount) || hasAny(money.originTxs),
  isDelivered: isMore(money.amountOut) || (recipientType === "DESTINATION_CHAIN" && hasAny(money.destinationTxs)),
  isRefunded: isMore(money.refundedAmount),
  isRefundedInFull:
    isMore(money.depositedAmount) &&
    isMore(money.refundedAmount) &&
    BigInt(money.refundedAmount!) + BigInt(money.refundFee ?? "0") >= BigInt(money.depositedAmount!),
})

describe("For any answer of the upstream", () => {
  law("the outcome is deterministic, and its status matches its substatus", (facts) => {
    const outcome = swapOutcome(facts)
    assert.strictEqual(outcome.status, FINAL[outcome.substatus] ?? "pending")
    assert.deepStrictEqual(swapOutcome(facts), outcome)
  })

  law("a success is a proven delivery, and never a refund", (facts) => {
    if (facts.previous.status === "success" || swapOutcome(facts).status !== "success") return
    const evidence = evidenceOf(facts)
    assert.strictEqual(facts.upstreamStatus, "SUCCESS")
    assert.isTrue(evidence.isDelivered)
    assert.isFalse(evidence.isRefundedInFull)
  })

  law("SUCCESS without a delivery needs review", (facts) => {
    if (facts.upstreamStatus !== "SUCCESS" || evidenceOf(facts).isDelivered) return
    const outcome = swapOutcome(facts)
    assert.isTrue(outcome.needsReview)
    if (facts.previous.status !== "success") assert.notStrictEqual(outcome.status, "success")
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
    const told = { ...facts, money: {}, depositTxHashes: [], isDepositShown: false, isReported: true }
    const late = { ...told, nowMillis: Math.max(facts.nowMillis, facts.refundStartsAtMillis, facts.inactiveAtMillis) }
    const expired = { status: "failed", substatus: "expired" } as const
    for (const upstreamStatus of ["PENDING_DEPOSIT", undefined]) {
      assert.deepInclude(swapOutcome({ ...late, upstreamStatus, previous: expired }), expired)
      const nowMillis = facts.inactiveAtMillis + 365 * DAY
      assert.deepInclude(swapOutcome({ ...told, upstreamStatus, nowMillis, previous: QUOTED }), {
        ...expired,
        needsReview: false,
      })
    }
  })

  law("a deposit that the service reported once stays known", (facts) => {
    const seen = swapOutcome({ ...facts, upstreamStatus: "KNOWN_DEPOSIT_TX" })
    assert.isTrue(seen.depositShown)
    const later = {
      ...facts,
      previous: seen,
      isDepositShown: seen.depositShown,
      money: {},
      isReported: false,
    }
    for (const upstreamStatus of ["PENDING_DEPOSIT", undefined]) {
      const outcome = swapOutcome({ ...later, upstreamStatus, nowMillis: facts.inactiveAtMillis + 365 * DAY })
      assert.strictEqual(outcome.substatus, seen.substatus)
      assert.isTrue(outcome.depositShown)
    }
  })

  law("a delivery below the minimum is a success that needs review", (facts) => {
    const money = { ...facts.money, amountOut: "998099", refundedAmount: "0" }
    const short = { ...facts, upstreamStatus: "SUCCESS", leastAmountOut: "998100", money }
    assert.deepInclude(swapOutcome(short), { status: "success", needsReview: true })
    assert.isFalse(swapOutcome({ ...short, leastAmountOut: "998099" }).needsReview)
  })

  law("a late deposit reopens an expired swap", (facts) => {
    const previous = { status: "failed", substatus: "expired" } as const
    for (const upstreamStatus of ["KNOWN_DEPOSIT_TX", "PROCESSING", "INCOMPLETE_DEPOSIT"])
      assert.strictEqual(swapOutcome({ ...facts, previous, upstreamStatus }).status, "pending")
    const told = { ...facts, previous, money: {}, depositTxHashes: ["0xlate"] }
    for (const upstreamStatus of ["PENDING_DEPOSIT", undefined])
      assert.strictEqual(swapOutcome({ ...told, upstreamStatus }).status, "pending")
  })

  law("an unknown status ends nothing", (facts) => {
    const isKnown = facts.upstreamStatus === undefined || KNOWN_STATUSES.some((known) => known === facts.upstreamStatus)
    const outcome = swapOutcome(facts)
    if (isKnown) return assert.notStrictEqual(outcome.substatus, "unknown")
    if (isSettled(facts)) assert.strictEqual(outcome.status, facts.previous.status)
    else assert.deepInclude(outcome, { status: "pending", substatus: "unknown" })
  })

  law("a proven end stays, unless the service reports another end", (facts) => {
    if (!isSettled(facts) || facts.previous.substatus === "failed") return
    const { isDelivered, isRefunded } = evidenceOf(facts)
    const isOther = facts.upstreamStatus === "SUCCESS" && (isDelivered || isRefunded)
    if (isOther || facts.upstreamStatus === "REFUNDED" || facts.upstreamStatus === "FAILED") return
    assert.deepInclude(swapOutcome(facts), facts.previous)
  })

  law("a swap that may still change is polled while its address is active, or needs review", (facts) => {
    const outcome = swapOutcome(facts)
    if (outcome.status === "pending" && !outcome.isWatched) assert.isTrue(outcome.needsReview)
    if (outcome.status !== "pending" && outcome.substatus !== "expired") return
    assert.isTrue(swapOutcome({ ...facts, nowMillis: facts.inactiveAtMillis }).isWatched)
  })

  law("FAILED is polled for seven days after it, and after the end of the address", (facts) => {
    const failed = { ...facts, upstreamStatus: "FAILED" }
    const from = Math.max(facts.lastChangeAtMillis, facts.inactiveAtMillis)
    const watchedAfter = (millis: number) => swapOutcome({ ...failed, nowMillis: from + millis }).isWatched
    assert.isTrue(watchedAfter(7 * DAY - 1))
    assert.isFalse(watchedAfter(7 * DAY))
  })

  law("the missing amount is the requested one minus the deposited one, and positive", (facts) => {
    const { missingAmount, substatus } = swapOutcome(facts)
    if (missingAmount === null) return
    assert.strictEqual(substatus, "incomplete")
    assert.isTrue(BigInt(missingAmount) > 0n)
    const together = BigInt(missingAmount) + BigInt(facts.money.depositedAmount!)
    assert.strictEqual(together.toString(), facts.requiredAmount)
  })

  law("no swap is stalled before its payment or after its end", (facts) => {
    const outcome = swapOutcome(facts)
    if (outcome.stalled) assert.strictEqual(outcome.status, "pending")
    if (outcome.substatus === "awaiting_deposit") assert.isFalse(outcome.stalled)
  })
})
