import { Effect } from "effect"
import { s3StandIn } from "../../packages/s3/test/S3StandIn.ts"

/** An S3 stand-in in a process of its own, until its parent is gone. */
void Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const { url } = yield* s3StandIn
      process.send!(url)
      yield* Effect.promise(() => new Promise((resolve) => process.once("disconnect", resolve)))
    }),
  ),
)
