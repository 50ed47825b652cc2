import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { type KnownState, readAnswers, type SignatureAnswer, stateOf } from "../../src/submissions/Sighting.ts"

const Commitment = Schema.Literals(["processed", "confirmed", "finalized"])
const Slot = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 90n, maximum: 150n }))
const Seen = Schema.Struct({ slot: Slot, err: Schema.NullOr(Schema.Literal("AccountInUse")), commitment: Commitment })
const Answer = Schema.Union([
  Schema.Literal("no answer"),
  Schema.Struct({ slot: Slot, sighting: Schema.UndefinedOr(Seen) }),
])
const Answers = Schema.Array(Answer)
const Known = Schema.Union([
  Schema.Struct({ state: Schema.Literal("pending"), slot: Schema.Null }),
  Schema.Struct({
    state: Schema.Literals(["processed", "confirmed", "failed"]),
    slot: Slot,
  }),
])

const read = (known: KnownState, answers: ReadonlyArray<typeof Answer.Type>) =>
  readAnswers(
    known,
    answers.map((answer): Result.Result<SignatureAnswer, string> =>
      answer === "no answer" ? Result.fail(answer) : Result.succeed({ slot: answer.slot, sighting: answer.sighting }),
    ),
  )

const sightings = (answers: ReadonlyArray<typeof Answer.Type>) =>
  answers.flatMap((answer) => (answer === "no answer" ? [] : (answer.sighting ?? [])))

describe("What the answers of all endpoints say", () => {
  it.prop(
    "is never that it is gone while one endpoint knows it, or one does not answer",
    [Known, Answers],
    ([known, answers]) => {
      if (sightings(answers).length > 0 || answers.length === 0 || answers.includes("no answer"))
        assert.notStrictEqual(read(known, answers), "reverted")
    },
  )

  it.prop(
    "is that it is gone when all deny it from slots by which they would know it",
    [Known, Answers],
    ([known, answers]) => {
      const late = answers.map((answer) => ({
        slot: (answer === "no answer" ? 0n : answer.slot) + 1_000n,
        sighting: undefined,
      }))
      const isGone = known.state !== "pending" && late.length > 0
      assert.strictEqual(read(known, late), isGone ? "reverted" : undefined)
    },
  )

  it.prop("is the highest commitment that any of them knows", [Answers], ([answers]) => {
    const best = read({ state: "pending", slot: null }, answers)
    const commitments = sightings(answers).map(({ commitment }) => commitment)
    const highest = ["finalized", "confirmed", "processed"].find((one) => commitments.includes(one as never))
    assert.strictEqual(best === undefined || best === "reverted" ? undefined : best.commitment, highest)
  })

  it.prop(
    "never takes a confirmation back by an endpoint that has only processed another block, while one does not answer",
    [Slot, Answers],
    ([slot, answers]) => {
      const processed = answers.map((answer) =>
        answer === "no answer"
          ? answer
          : { slot: answer.slot, sighting: { slot: answer.slot, err: null, commitment: "processed" as const } },
      )
      assert.isUndefined(read({ state: "confirmed", slot }, [...processed, "no answer"]))
    },
  )

  it.prop("is a failure only once it is confirmed", [Seen], ([seen]) => {
    const isFailure = seen.err !== null && seen.commitment !== "processed"
    assert.strictEqual(stateOf(seen), isFailure ? "failed" : seen.commitment)
  })
})
