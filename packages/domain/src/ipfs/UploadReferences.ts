import { Context, Data, type Effect } from "effect"
import type { SqlError } from "effect/sql"

/** Which launches there are is not known for certain. */
export class LaunchesUncertain extends Data.TaggedError("LaunchesUncertain")<{ readonly reason: string }> {}

/**
 * The tokens and launches that name uploads. Implemented by the server, which owns or reads their tables, and called by ipfs
 * within the transaction that deletes what is not named.
 */
export class UploadReferences extends Context.Service<
  UploadReferences,
  {
    /** Which of these words are in a URI of a token, of a launch on chain, or of one that was built in the last `days`. */
    readonly named: (
      words: ReadonlyArray<string>,
      days: number,
    ) => Effect.Effect<ReadonlySet<string>, LaunchesUncertain | SqlError.SqlError>
  }
>()("@launch-registry/domain/ipfs/UploadReferences") {}
