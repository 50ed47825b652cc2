import { Cause, Effect, Option, Stream } from "effect"
import type { CID } from "multiformats/cid"
import { childrenOf } from "../Dag.ts"

/** Starts reading a block; the inner effect waits for its bytes. */
export type ReadBlock = (cid: CID) => Effect.Effect<Effect.Effect<Option.Option<Uint8Array>>>

/** A node of a file's DAG and the wanted bytes of the file below it, from `start` up to, not including, `end`. */
export interface WantedNode {
  readonly cid: CID
  readonly start: number
  readonly end: number
}

/** A node with its bytes. */
export interface VisitedNode extends WantedNode {
  readonly bytes: Uint8Array
  /** Whether its bytes are file content. */
  readonly isLeaf: boolean
}

/**
 * The root and the blocks with the wanted bytes of a file, depth first in file order. One block is read ahead and no more, so a
 * slow reader holds two blocks. A missing block is a defect.
 */
export const walkDag = (readBlock: ReadBlock, root: WantedNode): Stream.Stream<VisitedNode> =>
  Stream.fromPull(
    Effect.sync(() => {
      const pending = [root]
      let ahead: Effect.Effect<Option.Option<Uint8Array>> | undefined
      const visit = (node: WantedNode, bytes: Uint8Array) => {
        const within = wantedChildren(node, bytes)
        if (within !== undefined) pending.push(...within.toReversed())
        const visited = [{ ...node, bytes, isLeaf: within === undefined }] as const
        const upcoming = pending.at(-1)
        if (upcoming === undefined) return Effect.succeed(visited)
        return Effect.map(readBlock(upcoming.cid), (read) => {
          ahead = read
          return visited
        })
      }
      return Effect.suspend(() => {
        const node = pending.pop()
        if (node === undefined) return Cause.done()
        const read = ahead ?? Effect.flatten(readBlock(node.cid))
        ahead = undefined
        return Effect.flatMap(read, (found) =>
          Option.isSome(found)
            ? visit(node, found.value)
            : Effect.die(new Error(`Block ${node.cid.toString()} is missing`)),
        )
      })
    }),
  )

const wantedChildren = ({ cid, end, start }: WantedNode, bytes: Uint8Array) => {
  let from = 0
  return childrenOf(cid, bytes)?.flatMap((child) => {
    const wanted = { cid: child.cid, start: Math.max(start - from, 0), end: Math.min(end - from, child.fileBytes) }
    from += child.fileBytes
    return wanted.end > wanted.start ? [wanted] : []
  })
}

/** Size of the file below a node. */
export const fileBytesOf = (cid: CID, bytes: Uint8Array): number =>
  childrenOf(cid, bytes)?.reduce((sum, { fileBytes }) => sum + fileBytes, 0) ?? bytes.length

/** The wanted bytes of a file, block by block. */
export const readFileBytes = (readBlock: ReadBlock, root: WantedNode): Stream.Stream<Uint8Array> =>
  walkDag(readBlock, root).pipe(
    Stream.filter(({ isLeaf }) => isLeaf),
    Stream.map(({ bytes, end, start }) => bytes.subarray(start, end)),
  )

/** Skips reading a root whose bytes are already loaded. */
export const withRoot =
  (readBlock: ReadBlock, root: CID, bytes: Uint8Array): ReadBlock =>
  (cid) =>
    cid === root ? Effect.succeed(Effect.succeedSome(bytes)) : readBlock(cid)
