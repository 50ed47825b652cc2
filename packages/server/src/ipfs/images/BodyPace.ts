import { UPLOAD_BYTES_PER_SECOND_MIN, UploadTooSlow } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Clock, Effect, Stream } from "effect"

/** How long a body may take to come in: the largest image does at 1 Mbit/s. */
export const BODY_SECONDS_MAX = 130
/** How far a body may fall behind the least rate; so it is also the longest it may stand still. */
const SLACK_MILLIS = 5_000

export const tooSlow = () => new UploadTooSlow({ limitSeconds: BODY_SECONDS_MAX })

/** The pace of one body, over all streams that bring parts of it. */
export interface BodyPace {
  /** The stream, ended with `UploadTooSlow` when the body falls behind. Only waiting for the sender counts as time. */
  readonly keptBy: <A, E>(
    stream: Stream.Stream<A, E>,
    bytesOf: (piece: A) => number,
  ) => Stream.Stream<A, E | UploadTooSlow>
}

/**
 * A body begins with a slack of 5 s. Time spent waiting for its bytes uses it up, and what comes fills it again by the time it may
 * take at the least rate, never beyond 5 s: who sent much at once cannot rest on it.
 */
export const makeBodyPace = (): BodyPace => {
  let slackMillis = SLACK_MILLIS
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
            const earnedMillis = (bytes / UPLOAD_BYTES_PER_SECOND_MIN) * 1_000
            slackMillis = Math.min(SLACK_MILLIS, slackMillis - waitedMillis + earnedMillis)
            return pieces
          }),
        ),
      ),
  }
}
