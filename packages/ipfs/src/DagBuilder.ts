import { Effect, Stream } from "effect"
import { buildDag, cutLeaves, dagAbove, type FileDag } from "./Dag.ts"
import { type Block, type DagProfile, type DagRoot, DagTree, leafOf, UNIXFS_V1_2025 } from "./DagTree.ts"
import { HASHES_AT_ONCE, hashOffLoop } from "./HashOffLoop.ts"
import { LeafCutter } from "./LeafCutter.ts"

/**
 * Leaves of a stream that are begun before the first of them is taken. They are waited for in order: with twice the threads, no
 * thread stands idle behind a slower one.
 */
export const LEAVES_AHEAD = 2 * HASHES_AT_ONCE

/** A leaf whose hash is begun. */
interface Begun {
  readonly bytes: Uint8Array
  readonly digest: Promise<Uint8Array>
}

const begin = (bytes: Uint8Array): Begun => {
  const digest = hashOffLoop(bytes)
  // Who waits for it sees that it failed; after an interruption nobody waits.
  digest.catch(() => {})
  return { bytes, digest }
}

/** Builds the DAG of one file from its pieces, pushed one after the other. */
export interface DagBuilder<E, R> {
  readonly push: (piece: Uint8Array) => Effect.Effect<void, E, R>
  /** After the last piece: what the file is called. */
  readonly end: Effect.Effect<DagRoot, E, R>
}

/**
 * A builder for one file in pieces of any size, each of which must stay as it is. `take` is given every block, one at a time,
 * in the order of the file and each after the blocks that it links; a block that repeats in the file is given each time.
 * What `take` lets go of is freed: beside a piece, a few leaves are in memory, however long the file is. Leaves are hashed
 * on other threads, several at a time.
 */
export const dagBuilder = <E, R>(
  take: (block: Block) => Effect.Effect<void, E, R>,
  profile: DagProfile = UNIXFS_V1_2025,
): DagBuilder<E, R> => {
  const cutter = new LeafCutter(profile)
  const tree = new DagTree(profile)
  const begun: Array<Begun> = []

  /** Waits for the oldest hash and gives its leaf away, with the nodes which that finishes. */
  const settle = Effect.gen(function* () {
    const { bytes, digest } = begun.shift()!
    const leaf = leafOf(bytes, yield* Effect.promise(() => digest))
    yield* take(leaf)
    for (const node of tree.add(leaf)) yield* take(node)
  })

  const hash = Effect.fnUntraced(function* (leaves: ReadonlyArray<Uint8Array>) {
    for (const bytes of leaves) {
      if (begun.length === LEAVES_AHEAD) yield* settle
      begun.push(begin(bytes))
    }
  })

  return {
    push: (piece) => Effect.suspend(() => hash(cutter.push(piece))),
    end: Effect.gen(function* () {
      yield* hash(cutter.end())
      while (begun.length > 0) yield* settle
      const { finished, ...root } = tree.end()
      for (const node of finished) yield* take(node)
      return root
    }),
  }
}

/**
 * The DAG of a file of these bytes, as `buildDag` has it, hashed on several threads while the event loop goes on: with two free
 * cores sooner than one of them hashes it. A file of one leaf is hashed at once: no second thread could help with it, and to wait
 * for another one takes longer than the 0.5 ms that it takes here.
 */
export const buildDagOffLoop = (bytes: Uint8Array): Effect.Effect<FileDag> =>
  Effect.suspend(() =>
    bytes.length <= UNIXFS_V1_2025.chunkBytes
      ? Effect.succeed(buildDag(bytes))
      : Effect.map(
          Effect.promise((signal) => hashLeaves(cutLeaves(bytes), signal)),
          dagAbove,
        ),
  )

/** The leaves with their CIDs; it begins no more hashes after `signal`. */
const hashLeaves = async (leaves: ReadonlyArray<Uint8Array>, signal: AbortSignal): Promise<ReadonlyArray<Block>> => {
  const blocks: Array<Block> = []
  const left = leaves.entries()
  const hashSome = async () => {
    for (const [index, bytes] of left) {
      if (signal.aborted) return
      blocks[index] = leafOf(bytes, await hashOffLoop(bytes))
    }
  }
  await Promise.all(Array.from({ length: HASHES_AT_ONCE }, hashSome))
  return blocks
}

/** The DAG of a file that is streamed, with `take` as `dagBuilder` has it: pieces are asked for as blocks are taken. */
export const streamDag = <E, R, E2, R2>(
  content: Stream.Stream<Uint8Array, E, R>,
  take: (block: Block) => Effect.Effect<void, E2, R2>,
  profile: DagProfile = UNIXFS_V1_2025,
): Effect.Effect<DagRoot, E | E2, R | R2> =>
  Effect.suspend(() => {
    const builder = dagBuilder(take, profile)
    return Effect.andThen(
      Stream.runForEach(content, (piece) => builder.push(piece)),
      builder.end,
    )
  })
