import { blockLength, createWriter, headerLength } from "@ipld/car/buffer-writer"
import type { CID } from "multiformats/cid"
import { type Block, childrenOf, type FileDag } from "./Dag.ts"

/** A block by its CID. A DAG that lacks one of its own is a defect. */
const blocksOf = (dag: FileDag): ((cid: CID) => Block) => {
  const blocks = new Map(dag.blocks.map((block) => [block.cid.toString(), block]))
  return (cid) => {
    const block = blocks.get(cid.toString())
    if (block === undefined) throw new Error(`Block ${cid.toString()} is missing`)
    return block
  }
}

/** Depth first from the root, every block as often as it is linked. */
function* walk(find: (cid: CID) => Block, cid: CID): Generator<Block> {
  const block = find(cid)
  yield block
  for (const child of childrenOf(cid, block.bytes) ?? []) yield* walk(find, child.cid)
}

/**
 * A file's DAG as one CAR (version 1, https://ipld.io/specs/transport/car/carv1): the root first, then depth first, every
 * block once. That is the order of `ipfs dag export`, so the same content is the same bytes here and there.
 */
export const carFile = (dag: FileDag): Uint8Array<ArrayBuffer> => {
  const blocks = new Map<string, Block>()
  for (const block of walk(blocksOf(dag), dag.root)) blocks.set(block.cid.toString(), block)
  const roots = [dag.root]
  const sizeBytes = [...blocks.values()].reduce((sum, block) => sum + blockLength(block), headerLength({ roots }))
  const buffer = new ArrayBuffer(sizeBytes)
  const writer = createWriter(buffer, { roots })
  for (const block of blocks.values()) writer.write(block)
  return new Uint8Array(buffer, 0, writer.close().length)
}

/** The content of the file, leaf by leaf. */
export function* leavesOf(dag: FileDag): Generator<Uint8Array> {
  for (const { bytes, cid } of walk(blocksOf(dag), dag.root)) if (childrenOf(cid, bytes) === undefined) yield bytes
}
