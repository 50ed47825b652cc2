import { releaseOnInterrupt } from "@launch-registry/postgres/LeasedQueue"
import { Clock, Effect, Random, Semaphore } from "effect"
import type { HostAddresses } from "../outgoing/HostAddresses.ts"
import { type ClaimedMessage, messageQueue, type Target } from "./MessageQueue.ts"
import type { NotificationOptions } from "./NotificationOptions.ts"
import { type AttemptFigures, isAccepted, postMessage } from "./PostMessage.ts"
import { signatureOf } from "./SigningSecret.ts"

/** Messages of an endpoint that are claimed together. */
const BATCH = 8
/** Requests to one endpoint at a time; one that fails gets one message at a time. */
const PER_ENDPOINT = 4
/** Results written at a time: all endpoints together leave most connections to requests. */
const WRITES = 3
/** Batches until other endpoints may have a turn. */
const ROUNDS_MAX = 10

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** Pauses after the first, second, ... attempt; the one after these is the last. About three days. */
const PAUSES_MILLIS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]

/** Of a pause, in both directions: endpoints that failed together are not retried together. */
const JITTER = 0.1

/** No Retry-After delays an attempt further. */
const RETRY_AFTER_MILLIS_MAX = 24 * HOUR

/** Attempts of a message, without redelivery. */
export const ATTEMPTS_MAX = PAUSES_MILLIS.length + 1

/** Milliseconds until the next attempt after so many; undefined if that was the last. `random` is from 0 to 1. */
export const pauseMillis = (
  attempts: number,
  random: number,
  retryAfterMillis: number | undefined,
): number | undefined => {
  const pause = PAUSES_MILLIS[attempts - 1]
  if (pause === undefined) return undefined
  const jittered = pause * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.max(jittered, Math.min(retryAfterMillis ?? 0, RETRY_AFTER_MILLIS_MAX)))
}

const HEADERS = { "content-type": "application/json", "user-agent": "token-launch-registry" }

/**
 * Delivers what is due, endpoint by endpoint, so that a slow one holds up no other. Any number of processes may: a message
 * is claimed with a lease, and no transaction is open while its endpoint is asked.
 */
export const deliverMessages = Effect.fnUntraced(function* (
  options: NotificationOptions,
  addresses: HostAddresses,
  figures: AttemptFigures,
) {
  const queue = yield* messageQueue
  const post = postMessage(options, addresses)
  const writes = yield* Semaphore.make(WRITES)

  const signed = (claimed: ClaimedMessage, { hasPrevious, secretVersion }: Target, timestampSeconds: number) => {
    const versions = [secretVersion, ...(hasPrevious ? [secretVersion - 1] : [])]
    return signatureOf(
      { id: claimed.id, timestampSeconds, body: claimed.body },
      options.masterSecrets,
      versions.map((version) => ({ endpointId: claimed.endpointId, version })),
    )
  }

  const attempt = Effect.fn("notificationAttempt")(function* (claimed: ClaimedMessage, target: Target) {
    const timestampSeconds = Math.floor((yield* Clock.currentTimeMillis) / 1_000)
    const headers = {
      ...HEADERS,
      "content-length": String(Buffer.byteLength(claimed.body)),
      "webhook-id": claimed.id,
      "webhook-timestamp": String(timestampSeconds),
      "webhook-signature": signed(claimed, target, timestampSeconds),
    }
    const outcome = yield* post({ url: target.url, headers, body: claimed.body })
    figures.count(outcome)
    if (isAccepted(outcome)) return yield* writes.withPermit(queue.delivered(claimed, outcome, target))
    const pause = pauseMillis(claimed.attempts + 1, yield* Random.next, outcome.retryAfterMillis)
    const disabled = yield* writes.withPermit(queue.failed(claimed, outcome, pause))
    // The id alone: a URL may hold a token.
    if (disabled !== undefined)
      yield* Effect.logWarning(
        `Endpoint ${claimed.endpointId} is disabled: ${disabled === "gone" ? "it answered 410" : "every attempt failed for five days"}`,
      )
  })

  const round = Effect.fnUntraced(function* (endpointId: string) {
    const target = yield* queue.target(endpointId)
    if (target === undefined) return 0
    const claimed = yield* queue.claim(endpointId, target.isFailing ? 1 : BATCH)
    yield* Effect.forEach(claimed, (one) => attempt(one, target), { concurrency: PER_ENDPOINT, discard: true }).pipe(
      releaseOnInterrupt(Effect.forEach(claimed, queue.release, { discard: true })),
    )
    // One of a wallet gives its place to others after each batch.
    return target.isFailing || target.isWallet ? 0 : claimed.length
  })

  /** Delivers the due messages of an endpoint; only the first, while it fails. */
  const deliverTo = Effect.fnUntraced(function* (endpointId: string) {
    for (let rounds = 0; rounds < ROUNDS_MAX; rounds++) if ((yield* round(endpointId)) === 0) return
  })

  return { dueEndpoints: queue.dueEndpoints, deliverTo }
})
