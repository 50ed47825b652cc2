import { hash } from "node:crypto"
import * as dagPb from "@ipld/dag-pb"
import { UnixFS } from "ipfs-unixfs"
import type { CID } from "multiformats/cid"
import { type Block, type DagRoot, DagTree, leafOf, UNIXFS_V1_2025 } from "./DagTree.ts"
import { LeafCutter } from "./LeafCutter.ts"

export type { Block }

/** A file as IPFS sees it. */
export interface FileDag extends DagRoot {
  /** Every block once, each after the blocks that it links. */
  readonly blocks: ReadonlyArray<Block>
}

/** The leaves of a file, as views of its bytes. */
export const cutLeaves = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const cutter = new LeafCutter(UNIXFS_V1_2025)
  return [...cutter.push(bytes), ...cutter.end()]
}

/** The DAG of all leaves of a file in their order. */
export const dagAbove = (leaves: ReadonlyArray<Block>): FileDag => {
  const tree = new DagTree(UNIXFS_V1_2025)
  const nodes = leaves.flatMap((leaf) => tree.add(leaf))
  const { finished, root, sizeBytes } = tree.end()
  const blocks = new Map([...leaves, ...nodes, ...finished].map((block) => [block.cid.toString(), block]))
  return { root, blocks: [...blocks.values()], sizeBytes }
}

const hashLeaf = (bytes: Uint8Array): Block => leafOf(bytes, hash("sha256", bytes, "buffer"))

/**
 * The DAG of a file of these bytes, at once: the event loop waits for the hashes, so it is for small files. The same bytes
 * give the same CID here and at every tool of the same profile.
 */
export const buildDag = (bytes: Uint8Array): FileDag => {
  if (bytes.length > UNIXFS_V1_2025.chunkBytes) return dagAbove(cutLeaves(bytes).map(hashLeaf))
  const leaf = hashLeaf(bytes)
  return { root: leaf.cid, blocks: [leaf], sizeBytes: bytes.length }
}

/** A stretch of a file that one child holds. */
export interface Child {
  readonly cid: CID
  readonly fileBytes: number
}

/** The children of a node and the file bytes each holds; `undefined` for a raw leaf, which is content itself. */
export const childrenOf = (cid: CID, bytes: Uint8Array): ReadonlyArray<Child> | undefined => {
  if (cid.code !== dagPb.code) return undefined
  const node = dagPb.decode(bytes)
  const sizes = UnixFS.unmarshal(node.Data!).blockSizes
  return node.Links.map(({ Hash }, index) => ({ cid: Hash as unknown as CID, fileBytes: Number(sizes[index]) }))
}
