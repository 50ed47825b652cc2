import { BODY_BYTES_PER_SECOND_MIN } from "@launch-registry/domain/http/LimitErrors"
import { Clock, Effect, Stream } from "effect"
import { HTTP_LIMITS } from "./HttpLimits.ts"

/** The pace of one body, over all streams that bring parts of it. */
export interface BodyPace<E> {
  /** The stream, ended with the error when the body falls behind. Only waiting for the sender counts as time. */
  readonly keptBy: <A, E2>(stream: Stream.Stream<A, E2>, bytesOf: (piece: A) => number) => Stream.Stream<A, E2 | E>
}

/** What is left of the slack of a body after it was waited for, and what came then. */
const slackAfter = (
  slackMillis: number,
  came: { readonly bytes: number; readonly waitedMillis: number },
  slackMillisMax: number,
): number =>
  Math.min(slackMillisMax, slackMillis - came.waitedMillis + (came.bytes / BODY_BYTES_PER_SECOND_MIN) * 1_000)

/**
 * A body begins with a slack of 5 s. Time spent waiting for its bytes uses it up, and what comes fills it again by the time it may
 * take at the least rate, never beyond 5 s: who sent much at once cannot rest on it.
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
