import { BODY_BYTES_PER_SECOND_MIN } from "@launch-registry/domain/http/LimitErrors"
import { Clock, Effect, Stream } from "effect"
import { HTTP_LIMITS } from "../listener/HttpLimits.ts"

/** The minimum transfer rate of a body, across all streams of its parts. */
export interface BodyPace<E> {
  /** The stream; fails if the body falls behind. Only time spent waiting for the sender counts. */
  readonly keptBy: <A, E2>(stream: Stream.Stream<A, E2>, bytesOf: (piece: A) => number) => Stream.Stream<A, E2 | E>
}

/** The remaining slack after waiting for a chunk. */
const slackAfter = (
  slackMillis: number,
  came: { readonly bytes: number; readonly waitedMillis: number },
  slackMillisMax: number,
): number =>
  Math.min(slackMillisMax, slackMillis - came.waitedMillis + (came.bytes / BODY_BYTES_PER_SECOND_MIN) * 1_000)

/**
 * A token bucket of 5 s. Waiting for bytes drains it; received bytes refill it by their time at the minimum rate, up to
 * 5 s, so that a burst cannot buy a long stall.
 */
export const makeBodyPace = <E>(
  tooSlow: () => E,
  slackMillisMax: number = HTTP_LIMITS.bodySlackMillis,
): BodyPace<E> => {
  let slackMillis = slackMillisMax
  return {
    keptBy: (stream, bytesOf) =>
      Stream.transformPull(stream, (pull) =>
        Effect.succeed(
          Effect.gen(function* () {
            const startMillis = yield* Clock.currentTimeMillis
            const pieces = yield* Effect.timeoutOrElse(pull, {
              duration: Math.max(0, slackMillis),
              orElse: () => Effect.fail(tooSlow()),
            })
            const bytes = pieces.reduce((sum, piece) => sum + bytesOf(piece), 0)
            const waitedMillis = (yield* Clock.currentTimeMillis) - startMillis
            slackMillis = slackAfter(slackMillis, { bytes, waitedMillis }, slackMillisMax)
            return pieces
          }),
        ),
      ),
  }
}
