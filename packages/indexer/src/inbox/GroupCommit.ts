import { giveBackMemory } from "@launch-registry/domain/webhooks/BodyMemory"
import { InboxFull, InboxUnavailable } from "@launch-registry/domain/webhooks/WebhookErrors"
import { type Accepted, WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Clock, Effect, Exit, FiberSet, Layer } from "effect"
import { IngestLog } from "./IngestLog.ts"
import { joinBodies, type ReadBody, readBody, transactionsIn } from "./ReadBody.ts"

/** A group is committed at once: larger ones compress better and share a commit, smaller ones wait less. */
const GROUP_TRANSACTIONS = 500
const GROUP_BYTES = 8 * 1024 * 1024
/** While one group is being committed, the next one is compressed. */
const GROUPS_AT_ONCE = 2
/** A commit is cheap for so many, and nobody waits for others. */
const ENOUGH_TRANSACTIONS = 60
/** So few deliveries are not divided. */
const WHOLE_DELIVERIES = 8
/** Nobody waits longer for others to come. */
const GATHER_MILLIS = 3
/** What may wait; beyond it deliveries are turned away, because a sender that waits in vain sends it again anyway. */
const WAITING_BYTES_MAX = 128 * 1024 * 1024
const WAITING_BODIES_MAX = 10_000
/** Senders wait a second for an answer. One timer looks after all of them: one for each delivery takes a fiber of its own as well. */
const DEADLINE_MILLIS = 800
const OVERDUE_EVERY_MILLIS = 50

interface Waiting {
  readonly body: Uint8Array
  readonly bytes: number
  readonly read: ReadBody
  readonly deadline: number
  readonly answer: (answer: Effect.Effect<Accepted, InboxUnavailable>) => void
}

export interface GroupCommitOptions {
  readonly waitingBodiesMax?: number
}

const unavailable = Effect.suspend(() => Effect.fail(new InboxUnavailable()))

/**
 * The inbox of webhooks: deliveries that come at the same time are committed together, and each is answered once its group is
 * durable.
 */
export const groupCommit = ({ waitingBodiesMax = WAITING_BODIES_MAX }: GroupCommitOptions = {}) =>
  Layer.effect(
    WebhookInbox,
    Effect.gen(function* () {
      const log = yield* IngestLog
      const clock = yield* Clock.Clock
      const run = yield* FiberSet.makeRuntime()
      const queue = new DeliveryQueue()
      const waiting = { bodies: 0, bytes: 0 }
      const unanswered = new Set<Waiting>()
      let groups = 0
      /** When the newest of them was begun. */
      let groupsSince = 0
      let isGathering = false
      /** Deliveries that had no answer when the last group was durable. */
      let crowd = 0
      /** How often a group was begun. */
      let begun = 0
      /** Which of them others are awaited for. */
      let awaited: number | undefined

      /**
       * Those who are waiting for an answer send again once they have it. A group of the first of them alone takes nearly as long as one
       * of all, and the others would have to wait for the next; a group of all leaves nothing to do while it is made durable. So a group
       * is one half of them, and the other half is on its way meanwhile.
       */
      const half = () => Math.ceil(Math.max(crowd, unanswered.size) / 2)

      const answer = (one: Waiting, result: Effect.Effect<Accepted, InboxUnavailable>) => {
        if (unanswered.delete(one)) one.answer(result)
      }

      const append = (group: ReadonlyArray<Waiting>) =>
        Effect.suspend(() => {
          const bodies = group.map(({ body }) => body)
          return log.append({ source: "webhook", bodies, ...joinBodies(group.map(({ read }) => read)) })
        })

      let isDown = false
      const commitGroup = Effect.gen(function* () {
        // What comes in the same turn of the event loop belongs to it.
        yield* Effect.yieldNow
        isGathering = false
        const group = queue.takeGroup(Math.max(WHOLE_DELIVERIES, half()))
        beginGroup()
        const exit = yield* Effect.exit(append(group))
        groups--
        crowd = unanswered.size
        const isKept = Exit.isSuccess(exit) && exit.value.isKept
        waiting.bodies -= group.length
        for (const one of group) {
          const { body, bytes, read } = one
          waiting.bytes -= bytes
          const accepted = { accepted: transactionsIn(read), unreadable: read.unreadable.length }
          answer(one, Exit.isSuccess(exit) ? Effect.succeed(accepted) : unavailable)
          if (!isKept) giveBackMemory(body)
        }
        beginGroup()
        if (Exit.isFailure(exit) && !isDown)
          yield* Effect.logError("Deliveries could not be committed; they are asked for again", exit.cause)
        isDown = Exit.isFailure(exit)
      })

      const beginGroup = ({ isPressing = false } = {}) => {
        if (isGathering || queue.isEmpty || groups >= GROUPS_AT_ONCE) return
        if (!isPressing && !queue.has(half())) {
          if (groups === 0) awaitOthers()
          return
        }
        isGathering = true
        groupsSince = clock.currentTimeMillisUnsafe()
        groups++
        begun++
        run(commitGroup)
      }

      const awaitOthers = () => {
        if (awaited === begun) return
        const next = begun
        awaited = next
        const press = Effect.sync(() => {
          // Otherwise a group has taken those who waited.
          if (begun === next) beginGroup({ isPressing: true })
        })
        run(Effect.delay(press, GATHER_MILLIS))
      }

      // Given up here, it may still be committed: the sender sends it again, and the log knows it then.
      const giveUpOverdue = Effect.sync(() => {
        const now = clock.currentTimeMillisUnsafe()
        for (const one of unanswered) {
          if (one.deadline <= now) answer(one, unavailable)
        }
        // A commit that takes longer than anybody waits must not hold up whatever else could be committed.
        if (groupsSince + DEADLINE_MILLIS < now) beginGroup({ isPressing: true })
      })
      yield* Effect.forkScoped(Effect.forever(Effect.andThen(Effect.sleep(OVERDUE_EVERY_MILLIS), giveUpOverdue)))
      let isClosed = false
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          isClosed = true
          for (const one of unanswered) answer(one, unavailable)
        }),
      )

      const receive = (body: Uint8Array) =>
        Effect.callback<Accepted, InboxFull | InboxUnavailable>((resume) => {
          if (isClosed) return resume(unavailable)
          if (waiting.bodies >= waitingBodiesMax || waiting.bytes >= WAITING_BYTES_MAX)
            return resume(Effect.fail(new InboxFull()))
          const deadline = clock.currentTimeMillisUnsafe() + DEADLINE_MILLIS
          const one = { body, bytes: body.length, read: readBody(body), deadline, answer: resume }
          waiting.bodies++
          waiting.bytes += one.bytes
          unanswered.add(one)
          queue.add(one)
          beginGroup()
        })

      return { receive }
    }),
  )

/** Deliveries that no group has taken yet, in the order they came. */
class DeliveryQueue {
  #deliveries: Array<Waiting> = []
  #transactions = 0
  #bytes = 0

  get isEmpty(): boolean {
    return this.#deliveries.length === 0
  }

  /** So many deliveries, or as many transactions or bytes as are worth a commit. */
  has(deliveries: number): boolean {
    const isMany = this.#deliveries.length >= deliveries || this.#transactions >= ENOUGH_TRANSACTIONS
    return isMany || this.#bytes >= GROUP_BYTES
  }

  add(one: Waiting): void {
    this.#deliveries.push(one)
    this.#transactions += one.read.elements.length
    this.#bytes += one.bytes
  }

  /** As much of what waits as makes a group, and no more deliveries than that; a single larger body is a group of its own. */
  takeGroup(most: number): ReadonlyArray<Waiting> {
    let [count, transactions, bytes] = [0, 0, 0]
    const all = Math.min(this.#deliveries.length, most)
    while (count < all && transactions < GROUP_TRANSACTIONS && bytes < GROUP_BYTES) {
      const one = this.#deliveries[count++]!
      transactions += one.read.elements.length
      bytes += one.bytes
    }
    this.#transactions -= transactions
    this.#bytes -= bytes
    return this.#deliveries.splice(0, count)
  }
}
