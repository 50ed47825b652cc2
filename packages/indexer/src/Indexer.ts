import { Clock, Context, Effect, Layer, Option, Stream } from "effect"
import { Sink } from "./Sink.ts"
import { Source } from "./Source.ts"

/** How far an indexer has come. */
export interface Progress {
  readonly blocks: number
  readonly slot: bigint | undefined
  /** Since 1970; of the last block that was written. */
  readonly atMillis: number | undefined
  readonly isDone: boolean
}

/** Takes blocks from the source, runs the modules, hands the changes to the sink: from the cursor to the end. */
export class Indexer extends Context.Service<
  Indexer,
  {
    readonly run: Effect.Effect<Progress, unknown>
    readonly progress: Effect.Effect<Progress>
  }
>()("@launch-registry/indexer/Indexer") {
  static readonly layer = Layer.effect(
    Indexer,
    Effect.gen(function* () {
      const source = yield* Source
      const sink = yield* Sink
      let progress: Progress = { blocks: 0, slot: undefined, atMillis: undefined, isDone: false }

      const run = Effect.gen(function* () {
        let cursor = yield* sink.cursor
        yield* Stream.runForEach(source.blocksAfter(Option.getOrUndefined(cursor)), (block) =>
          Effect.gen(function* () {
            yield* sink.write(block, cursor)
            cursor = Option.some(block.cursor)
            progress = {
              ...progress,
              blocks: progress.blocks + 1,
              slot: block.slot,
              atMillis: yield* Clock.currentTimeMillis,
            }
          }),
        )
        progress = { ...progress, isDone: true }
        return progress
      })

      return Indexer.of({ run, progress: Effect.sync(() => progress) })
    }),
  )
}
