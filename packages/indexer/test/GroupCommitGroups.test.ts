import { assert, describe, it } from "@effect/vitest"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Deferred, Effect, Exit, Fiber, Layer, Queue, Scope } from "effect"
import { SqlError, UnknownError } from "effect/sql/SqlError"
import { TestClock } from "effect/testing"
import { groupCommit } from "../src/inbox/GroupCommit.ts"
import { transactionsIn } from "../src/inbox/ReadBody.ts"
import { IngestLog } from "../src/inbox/IngestLog.ts"

/** The contents of a group, and functions that let its commit succeed or fail. */
interface Group {
  readonly bodies: ReadonlyArray<string>
  readonly commit: Effect.Effect<void>
  readonly fail: Effect.Effect<void>
}

const REFUSAL = new SqlError({ reason: new UnknownError({ cause: undefined }) })

/** An inbox over a log whose appends wait for the test; its groups in the order of their appends. */
const heldInbox = Effect.gen(function* () {
  const groups = yield* Queue.unbounded<Group>()
  const log = Layer.mock(IngestLog)({
    append: ({ bodies, ...read }) =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void, SqlError>()
        yield* Queue.offer(groups, {
          bodies: bodies.map((body) => Buffer.from(body).toString()),
          commit: Effect.asVoid(Deferred.succeed(gate, undefined)),
          fail: Effect.asVoid(Deferred.fail(gate, REFUSAL)),
        })
        yield* Deferred.await(gate)
        return { logOffset: 1n, fresh: transactionsIn(read) }
      }),
  })
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(groupCommit().pipe(Layer.provide(log)), scope)
  const { receive } = yield* Effect.provide(WebhookInbox, context)
  const send = (text: string) => Effect.forkChild(Effect.result(receive(Buffer.from(text))), { startImmediately: true })
  return { groups, send, close: Scope.close(scope, Exit.void) }
})

/** A body of so many bytes without a transaction. */
const bodyOf = (bytes: number): string => `"${"x".repeat(bytes - 2)}"`
const MIB = 1024 * 1024

/** Yields often enough for all pending work. */
const settle = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)

describe("Groups of deliveries", () => {
  it.effect("contain all waiting deliveries in order of arrival, and two groups are in flight", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox
      const senders = [yield* send("[1]"), yield* send("[2]")]
      const first = yield* Queue.take(groups)
      assert.deepStrictEqual(first.bodies, ["[1]", "[2]"])
      senders.push(yield* send("[3]"))
      const second = yield* Queue.take(groups)
      assert.deepStrictEqual(second.bodies, ["[3]"])
      senders.push(yield* send("[4]"), yield* send("[5]"))
      yield* settle
      assert.strictEqual(yield* Queue.size(groups), 0)
      // The group that commits first makes room, and answers only its own deliveries.
      yield* second.commit
      const third = yield* Queue.take(groups)
      assert.deepStrictEqual(third.bodies, ["[4]", "[5]"])
      assert.deepInclude(yield* Fiber.join(senders[2]!), { success: { accepted: 0, unreadable: 1 } })
      assert.isUndefined(senders[0]!.pollUnsafe())
      yield* first.commit
      yield* third.commit
      for (const sender of senders) assert.strictEqual((yield* Fiber.join(sender))._tag, "Success")
      yield* close
    }),
  )

  it.effect("have at most 500 deliveries, and end with the one that reaches 8 MiB", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox
      const take = Effect.tap(Queue.take(groups), ({ commit }) => commit)
      for (let count = 0; count < 501; count++) yield* send(`[${count}]`)
      assert.lengthOf((yield* take).bodies, 500)
      assert.deepStrictEqual((yield* take).bodies, ["[500]"])
      yield* settle
      for (const bytes of [3 * MIB, 4 * MIB, 3 * MIB, 9 * MIB, 10]) yield* send(bodyOf(bytes))
      const lengths = []
      while (lengths.length < 3) lengths.push((yield* take).bodies.map(({ length }) => length))
      assert.deepStrictEqual(lengths, [[3 * MIB, 4 * MIB, 3 * MIB], [9 * MIB], [10]])
      yield* close
    }),
  )

  it.effect("that cannot be committed are answered 503, and the next one is committed", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox
      const refused = yield* send("[1]")
      const first = yield* Queue.take(groups)
      const kept = yield* send("[2]")
      const second = yield* Queue.take(groups)
      yield* first.fail
      const answer = yield* Fiber.join(refused)
      assert.strictEqual(answer._tag === "Failure" && answer.failure._tag, "Unavailable")
      yield* second.commit
      assert.strictEqual((yield* Fiber.join(kept))._tag, "Success")
      const next = yield* send("[1]")
      yield* Effect.flatMap(Queue.take(groups), ({ commit }) => commit)
      assert.strictEqual((yield* Fiber.join(next))._tag, "Success")
      yield* close
    }),
  )

  it.effect("keep a deadline for each delivery, and are stored even if they commit after it", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox
      const early = yield* send("[1]")
      yield* TestClock.adjust(500)
      const late = yield* send("[2]")
      yield* TestClock.adjust(299)
      assert.isUndefined(early.pollUnsafe())
      yield* TestClock.adjust(60)
      assert.deepInclude(yield* Fiber.join(early), { _tag: "Failure" })
      assert.isUndefined(late.pollUnsafe())
      yield* Effect.flatMap(Queue.take(groups), ({ commit }) => commit)
      yield* Effect.flatMap(Queue.take(groups), ({ commit }) => commit)
      assert.deepInclude(yield* Fiber.join(late), { _tag: "Success" })
      const other = yield* send("[3]")
      yield* TestClock.adjust(850)
      const answer = yield* Fiber.join(other)
      assert.strictEqual(answer._tag === "Failure" && answer.failure._tag, "Unavailable")
      yield* close
    }),
  )

  it.effect("that are not durable when the inbox closes are answered 503", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox
      const senders = [yield* send("[1]")]
      yield* Queue.take(groups)
      senders.push(yield* send("[2]"))
      yield* close
      for (const sender of senders) {
        const answer = yield* Fiber.join(sender)
        assert.strictEqual(answer._tag === "Failure" && answer.failure._tag, "Unavailable")
      }
    }),
  )
})
