import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Context, Effect, Layer, Schema, Stream } from "effect"
import { type Block, toBlocks } from "./Block.ts"

/** A source cannot be read. */
export class SourceUnreadable extends Schema.TaggedError<SourceUnreadable>()("SourceUnreadable", {
  message: Schema.String,
}) {}

/** Where blocks come from. */
export class Source extends Context.Service<
  Source,
  {
    /** Blocks after the one that `cursor` names, or from the first one. */
    readonly blocksAfter: (cursor: string | undefined) => Stream.Stream<Block, SourceUnreadable>
  }
>()("@launch-registry/indexer/Source") {
  /** Transactions at hand, such as a capture. */
  static readonly layerOf = (transactions: ReadonlyArray<RawTransaction>) =>
    Layer.succeed(Source, {
      blocksAfter: (cursor) => {
        const blocks = toBlocks(transactions)
        return Stream.fromIterable(cursor === undefined ? blocks : blocks.filter(({ slot }) => slot > BigInt(cursor)))
      },
    })

  /** A JSON file of raw transactions (one or an array of them), or a folder of such files. */
  static readonly layerOfFiles = (path: string) =>
    Layer.unwrap(
      Effect.map(
        Effect.try({
          try: () => filesOf(path).flatMap(readTransactions),
          catch: (error) => new SourceUnreadable({ message: `${path} cannot be read: ${(error as Error).message}` }),
        }),
        Source.layerOf,
      ),
    )
}

const filesOf = (path: string): ReadonlyArray<string> =>
  statSync(path).isDirectory()
    ? readdirSync(path)
        .filter((name) => name.endsWith(".json"))
        .sort()
        .map((name) => join(path, name))
    : [path]

const readTransactions = (file: string): ReadonlyArray<RawTransaction> => {
  const content: unknown = JSON.parse(readFileSync(file, "utf8"))
  const all = Array.isArray(content) ? content : [content]
  const faulty = all.findIndex(
    (one) => typeof one?.slot !== "number" || !Array.isArray(one?.transaction?.message?.instructions),
  )
  if (faulty >= 0) throw new Error(`${file} holds no raw transaction at position ${faulty}`)
  return all as ReadonlyArray<RawTransaction>
}
