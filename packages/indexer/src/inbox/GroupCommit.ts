import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { type Accepted, WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Clock, Effect, Exit, FiberSet, Latch, Layer } from "effect"
import { IngestLog } from "./IngestLog.ts"
import { joinBodies, type ReadBody, readBody, transactionsIn } from "./ReadBody.ts"

/** Largest group: larger ones compress no better, and its first sender waits for all of it. */
const GROUP_DELIVERIES = 500
const GROUP_BYTES = 8 * 1024 * 1024
/** While one group is being committed, the next one is compressed. */
const GROUPS_IN_FLIGHT = 2
/** Bounds of the queue. Deliveries beyond them are refused, because a sender that times out sends again anyway. */
const WAITING_BYTES_MAX = 128 * 1024 * 1024
const WAITING_BODIES_MAX = 10_000
/**
 * Senders wait a second for an answer. One timer serves all of them, because one per delivery would need a fiber each.
 */
const DEADLINE_MILLIS = 800
const OVERDUE_EVERY_MILLIS = 50

interface Delivery {
  readonly body: Uint8Array
  readonly read: ReadBody
  readonly deadline: number
  readonly answer: (answer: Effect.Effect<Accepted, Unavailable>) => void
}

export interface GroupCommitOptions {
  readonly waitingBodiesMax?: number
}

const unavailable = Effect.suspend(() => Effect.fail(new Unavailable({ service: "inbox" })))

/**
 * The inbox of webhooks: waiting deliveries are committed together, in order of arrival, and each is answered once its
 * group is durable.
 */
export const groupCommit = ({ waitingBodiesMax = WAITING_BODIES_MAX }: GroupCommitOptions = {}) =>
  Layer.effect(
    WebhookInbox,
    Effect.gen(function* () {
      const log = yield* IngestLog
      const clock = yield* Clock.Clock
      const run = yield* FiberSet.makeRuntime()
      const queue: Array<Delivery> = []
      const unanswered = new Set<Delivery>()
      const hasUnanswered = Latch.makeUnsafe(false)
      /** In the queue and in flight. */
      const held = { bodies: 0, bytes: 0 }
      let groups = 0
      let isClosed = false
      let isDown = false

      const answer = (delivery: Delivery, result: Effect.Effect<Accepted, Unavailable>) => {
        if (unanswered.delete(delivery)) delivery.answer(result)
      }

      const commitGroup = Effect.gen(function* () {
        // Deliveries of the same turn of the event loop share a commit.
        yield* Effect.yieldNow
        const group = takeGroup(queue)
        if (group.length > 0) {
          const bodies = group.map(({ body }) => body)
          const received = { source: "webhook" as const, bodies, ...joinBodies(group.map(({ read }) => read)) }
          const exit = yield* Effect.exit(log.append(received))
          for (const delivery of group) {
            const { body, read } = delivery
            held.bodies--
            held.bytes -= body.length
            const accepted = { accepted: transactionsIn(read), unreadable: read.unreadable.length }
            answer(delivery, Exit.isSuccess(exit) ? Effect.succeed(accepted) : unavailable)
          }
          if (Exit.isFailure(exit) && !isDown)
            yield* Effect.logError("Deliveries could not be committed; their senders are asked to retry", exit.cause)
          isDown = Exit.isFailure(exit)
        }
        groups--
        commitWaiting()
      })

      const commitWaiting = () => {
        if (queue.length === 0 || groups >= GROUPS_IN_FLIGHT) return
        groups++
        run(commitGroup)
      }

      // It may still be committed: then the log recognises the redelivery.
      const giveUpOverdue = Effect.sync(() => {
        const now = clock.currentTimeMillisUnsafe()
        for (const delivery of unanswered) if (delivery.deadline <= now) answer(delivery, unavailable)
        if (unanswered.size === 0) hasUnanswered.closeUnsafe()
      })
      yield* hasUnanswered.await.pipe(
        Effect.andThen(Effect.sleep(OVERDUE_EVERY_MILLIS)),
        Effect.andThen(giveUpOverdue),
        Effect.forever,
        Effect.forkScoped,
      )
      yield* Effect.addFinalizer(() =>
        Effect.sync(() => {
          isClosed = true
          for (const delivery of unanswered) answer(delivery, unavailable)
        }),
      )

      const receive = (body: Uint8Array) =>
        Effect.callback<Accepted, Busy | Unavailable>((resume) => {
          if (isClosed) return resume(unavailable)
          if (held.bodies >= waitingBodiesMax || held.bytes >= WAITING_BYTES_MAX)
            return resume(Effect.fail(new Busy({ resource: "deliveries" })))
          const deadline = clock.currentTimeMillisUnsafe() + DEADLINE_MILLIS
          const delivery = { body, read: readBody(body), deadline, answer: resume }
          held.bodies++
          held.bytes += body.length
          unanswered.add(delivery)
          hasUnanswered.openUnsafe()
          queue.push(delivery)
          commitWaiting()
        })

      return { receive }
    }),
  )

/** The first waiting deliveries, up to one group; a single larger body is a group by itself. */
const takeGroup = (queue: Array<Delivery>): ReadonlyArray<Delivery> => {
  let count = 0
  let bytes = 0
  while (count < Math.min(queue.length, GROUP_DELIVERIES) && bytes < GROUP_BYTES) bytes += queue[count++]!.body.length
  return queue.splice(0, count)
}
