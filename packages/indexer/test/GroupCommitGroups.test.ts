import { assert, describe, it } from "@effect/vitest"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Deferred, Effect, Exit, Fiber, Layer, Queue, Scope } from "effect"
import { TestClock } from "effect/testing"
import { groupCommit } from "../src/inbox/GroupCommit.ts"
import { transactionsIn } from "../src/inbox/ReadBody.ts"
import { IngestLog } from "../src/inbox/IngestLog.ts"

/** What a group of the log holds, and what lets its commit succeed. */
interface Group {
  readonly bodies: ReadonlyArray<string>
  readonly commit: Effect.Effect<void>
}

/** An inbox in front of a log whose appends wait for the test; its groups in the order they were begun. */
const heldInbox = Effect.fnUntraced(function* ({ isKept = false } = {}) {
  const groups = yield* Queue.unbounded<Group>()
  const log = Layer.mock(IngestLog)({
    append: ({ bodies, ...read }) =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        const texts = bodies.map((body) => Buffer.from(body).toString())
        yield* Queue.offer(groups, { bodies: texts, commit: Effect.asVoid(Deferred.succeed(gate, undefined)) })
        yield* Deferred.await(gate)
        return { logOffset: 1n, fresh: transactionsIn(read), isKept }
      }),
  })
  const scope = yield* Scope.make()
  const context = yield* Layer.buildWithScope(groupCommit().pipe(Layer.provide(log)), scope)
  const { receive } = yield* Effect.provide(WebhookInbox, context)
  const sendBytes = (body: Uint8Array) => Effect.forkChild(Effect.result(receive(body)), { startImmediately: true })
  const send = (text: string) => sendBytes(Buffer.from(text))
  return { groups, send, sendBytes, close: Scope.close(scope, Exit.void) }
})

/** As many transactions as make a group full, in one body. */
const FULL = `[${Array.from({ length: 500 }, () => "{}").join(",")}]`

/** As often as anything that is about to happen needs to happen. */
const settle = Effect.forEach(Array.from({ length: 20 }), () => Effect.yieldNow)

describe("Groups of deliveries", () => {
  it.effect("take what comes in one turn together, and what comes during a commit in the next group", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox()
      const senders = [yield* send("[1]"), yield* send("[2]"), yield* send("[3]")]
      const first = yield* Queue.take(groups)
      assert.deepStrictEqual(first.bodies, ["[1]", "[2]", "[3]"])
      senders.push(yield* send("[4]"))
      yield* settle
      assert.strictEqual(yield* Queue.size(groups), 0)
      yield* first.commit
      yield* settle
      assert.strictEqual(yield* Queue.size(groups), 0)
      senders.push(yield* send("[5]"))
      const second = yield* Queue.take(groups)
      assert.deepStrictEqual(second.bodies, ["[4]", "[5]"])
      yield* second.commit
      for (const sender of senders) assert.strictEqual((yield* Fiber.join(sender))._tag, "Success")
      yield* close
    }),
  )

  it.effect("are begun during a commit when enough waits, two at once and no more", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox()
      const senders = [yield* send("[1]")]
      const first = yield* Queue.take(groups)
      senders.push(yield* send("[2]"), yield* send(FULL), yield* send(FULL), yield* send("[3]"))
      const second = yield* Queue.take(groups)
      assert.deepStrictEqual(second.bodies, ["[2]", FULL])
      yield* settle
      assert.strictEqual(yield* Queue.size(groups), 0)
      // Whichever is done first makes room, and none waits for what is not of its group.
      yield* second.commit
      const third = yield* Queue.take(groups)
      assert.deepStrictEqual(third.bodies, [FULL])
      assert.deepInclude(yield* Fiber.join(senders[2]!), { success: { accepted: 0, unreadable: 500 } })
      assert.isUndefined(senders[0]!.pollUnsafe())
      yield* first.commit
      yield* third.commit
      yield* Effect.flatMap(Queue.take(groups), ({ commit }) => commit)
      for (const sender of senders) assert.strictEqual((yield* Fiber.join(sender))._tag, "Success")
      yield* close
    }),
  )

  it.effect(
    "are half of those without an answer, begun once so many wait or when one takes longer than anybody waits",
    () =>
      Effect.gen(function* () {
        const { close, groups, send } = yield* heldInbox()
        for (let count = 0; count < 24; count++) yield* send(`[${count}]`)
        const first = yield* Queue.take(groups)
        assert.lengthOf(first.bodies, 12)
        const second = yield* Queue.take(groups)
        assert.deepStrictEqual(
          second.bodies,
          Array.from({ length: 12 }, (_, count) => `[${12 + count}]`),
        )
        yield* second.commit
        yield* settle

        for (let count = 0; count < 11; count++) yield* send(`[${count}]`)
        yield* settle
        assert.strictEqual(yield* Queue.size(groups), 0)
        yield* send("[11]")
        const third = yield* Queue.take(groups)
        assert.lengthOf(third.bodies, 12)
        yield* third.commit

        const sender = yield* send("[12]")
        yield* TestClock.adjust(700)
        assert.strictEqual(yield* Queue.size(groups), 0)
        yield* TestClock.adjust(200)
        const last = yield* Queue.take(groups)
        assert.deepStrictEqual(last.bodies, ["[12]"])
        assert.strictEqual((yield* Fiber.join(sender))._tag, "Failure")
        yield* last.commit
        yield* first.commit
        yield* close
      }),
  )

  it.effect("wait for no others when there were none, and three milliseconds for those who were just answered", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox()
      const commitNext = Effect.flatMap(Queue.take(groups), ({ bodies, commit }) => Effect.as(commit, bodies))
      for (let count = 0; count < 3; count++) {
        const sender = yield* send("[1]")
        assert.deepStrictEqual(yield* commitNext, ["[1]"])
        yield* Fiber.join(sender)
      }
      for (const text of ["[1]", "[2]", "[3]", "[4]"]) yield* send(text)
      assert.lengthOf(yield* commitNext, 4)
      yield* settle

      yield* send("[5]")
      yield* TestClock.adjust(2)
      assert.strictEqual(yield* Queue.size(groups), 0)
      // They come after all, and whoever comes next waits as long again.
      yield* send("[6]")
      assert.deepStrictEqual(yield* commitNext, ["[5]", "[6]"])
      for (const text of ["[1]", "[2]", "[3]", "[4]"]) yield* send(text)
      assert.lengthOf(yield* commitNext, 4)
      yield* settle
      yield* send("[7]")
      yield* TestClock.adjust(2)
      assert.strictEqual(yield* Queue.size(groups), 0)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* commitNext, ["[7]"])
      yield* settle

      // Nobody else is there any more.
      const last = yield* send("[8]")
      assert.deepStrictEqual(yield* commitNext, ["[8]"])
      yield* Fiber.join(last)
      yield* close
    }),
  )

  it.effect("leave each delivery its own deadline, and are kept however late they are durable", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox()
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
      assert.strictEqual(answer._tag === "Failure" && answer.failure._tag, "InboxUnavailable")
      yield* close
    }),
  )

  it.effect("that are not durable when the inbox closes are asked for again", () =>
    Effect.gen(function* () {
      const { close, groups, send } = yield* heldInbox()
      const senders = [yield* send("[1]")]
      yield* Queue.take(groups)
      senders.push(yield* send("[2]"))
      yield* close
      for (const sender of senders) {
        const answer = yield* Fiber.join(sender)
        assert.strictEqual(answer._tag === "Failure" && answer.failure._tag, "InboxUnavailable")
      }
    }),
  )

  for (const [isKept, what] of [
    [true, "leave the memory of bodies that are"],
    [false, "give back the memory of bodies that are not"],
  ] as const)
    it.effect(`${what} at hand for readers`, () =>
      Effect.gen(function* () {
        const { close, groups, sendBytes } = yield* heldInbox({ isKept })
        const own = new TextEncoder().encode(JSON.stringify(["x".repeat(20_000)]))
        const shared = own.slice().subarray(0, -1)
        const length = own.byteLength
        const senders = [yield* sendBytes(own), yield* sendBytes(shared)]
        const group = yield* Queue.take(groups)
        assert.strictEqual(own.byteLength, length)
        yield* group.commit
        for (const sender of senders) assert.strictEqual((yield* Fiber.join(sender))._tag, "Success")
        assert.strictEqual(own.byteLength, isKept ? length : 0)
        assert.strictEqual(shared.byteLength, length - 1)
        yield* close
      }),
    )
})
