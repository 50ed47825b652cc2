import { InboxFull, InboxUnavailable } from "@launch-registry/domain/webhooks/WebhookErrors"
import { type Accepted, WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Deferred, Effect, Exit, Layer, Option, Queue } from "effect"
import { IngestLog } from "./IngestLog.ts"
import { joinBodies, type ReadBody, readBody } from "./ReadBody.ts"

/** A group is committed at once: larger ones compress better, smaller ones wait less. */
const GROUP_TRANSACTIONS = 500
const GROUP_BYTES = 8 * 1024 * 1024
/** While one group is being committed, the next one is compressed. */
const GROUPS_AT_ONCE = 2
/** What may wait; beyond it deliveries are turned away, because a sender that waits in vain sends it again anyway. */
const WAITING_BYTES_MAX = 128 * 1024 * 1024
const WAITING_BODIES_MAX = 10_000
/** Senders wait a second for an answer. */
const DEADLINE_MILLIS = 800

interface Waiting {
  readonly body: Uint8Array
  readonly read: ReadBody
  readonly done: Deferred.Deferred<Accepted, InboxUnavailable>
}

export interface GroupCommitOptions {
  readonly waitingBodiesMax?: number
}

/**
 * The inbox of webhooks: deliveries that come at the same time are committed together, and each is answered once its group is
 * durable.
 */
export const groupCommit = ({ waitingBodiesMax = WAITING_BODIES_MAX }: GroupCommitOptions = {}) =>
  Layer.effect(
    WebhookInbox,
    Effect.gen(function* () {
      const log = yield* IngestLog
      const queue = yield* Queue.unbounded<Waiting>()
      const waiting = { bodies: 0, bytes: 0 }

      /** As much of what waits as makes a group; a single larger body is a group of its own. */
      const takeGroup = Effect.gen(function* () {
        const group = [yield* Queue.take(queue)]
        let { length: bytes } = group[0]!.body
        let transactions = group[0]!.read.elements.length
        while (transactions < GROUP_TRANSACTIONS && bytes < GROUP_BYTES) {
          const next = yield* Queue.poll(queue)
          if (Option.isNone(next)) break
          group.push(next.value)
          bytes += next.value.body.length
          transactions += next.value.read.elements.length
        }
        return group
      })

      const append = (group: ReadonlyArray<Waiting>) => {
        const bodies = group.map(({ body }) => body)
        return log.append({ source: "webhook", bodies, ...joinBodies(group.map(({ read }) => read)) })
      }

      let isDown = false
      const flush = Effect.gen(function* () {
        const group = yield* takeGroup
        const exit = yield* Effect.exit(append(group))
        waiting.bodies -= group.length
        for (const { body, done, read } of group) {
          waiting.bytes -= body.length
          const accepted = { accepted: read.keys.length, unreadable: read.unreadable.length }
          Deferred.doneUnsafe(
            done,
            Exit.isSuccess(exit) ? Effect.succeed(accepted) : Effect.fail(new InboxUnavailable()),
          )
        }
        if (Exit.isFailure(exit) && !isDown)
          yield* Effect.logError("Deliveries could not be committed; they are asked for again", exit.cause)
        isDown = Exit.isFailure(exit)
      })
      for (let index = 0; index < GROUPS_AT_ONCE; index++) yield* Effect.forkScoped(Effect.forever(flush))

      const receive = Effect.fnUntraced(function* (body: Uint8Array) {
        if (waiting.bodies >= waitingBodiesMax || waiting.bytes >= WAITING_BYTES_MAX) return yield* new InboxFull()
        const read = readBody(body)
        const done = Deferred.makeUnsafe<Accepted, InboxUnavailable>()
        waiting.bodies++
        waiting.bytes += body.length
        yield* Queue.offer(queue, { body, read, done })
        // Given up here, it may still be committed: the sender sends it again, and the log knows it then.
        return yield* Deferred.await(done).pipe(
          Effect.timeoutOrElse({ duration: DEADLINE_MILLIS, orElse: () => Effect.fail(new InboxUnavailable()) }),
        )
      })

      return { receive }
    }),
  )
