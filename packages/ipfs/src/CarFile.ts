import { createWriter, headerLength } from "@ipld/car/buffer-writer"
import { varint } from "multiformats"
import type { CID } from "multiformats/cid"
import { type Block, childrenOf, type FileDag } from "./Dag.ts"

/** The header of a CAR, version 1 (https://ipld.io/specs/transport/car/carv1), with one root. */
export const carHeader = (root: CID): Uint8Array => {
  const roots = [root]
  return createWriter(new ArrayBuffer(headerLength({ roots })), { roots }).close()
}

/** What precedes the bytes of a block in a CAR: the length of CID and bytes, then the CID. */
export const carBlockHead = ({ bytes, cid }: Block): Uint8Array => {
  const length = cid.bytes.length + bytes.length
  const head = new Uint8Array(varint.encodingLength(length) + cid.bytes.length)
  varint.encodeTo(length, head)
  head.set(cid.bytes, head.length - cid.bytes.length)
  return head
}

/** Depth first from the root, each block as often as it is linked. A missing block is a defect. */
const walk = (dag: FileDag): Generator<Block> => {
  const blocks = new Map(dag.blocks.map((block) => [block.cid.toString(), block]))
  function* below(cid: CID): Generator<Block> {
    const block = blocks.get(cid.toString())
    if (block === undefined) throw new Error(`Block ${cid.toString()} is missing`)
    yield block
    for (const child of childrenOf(cid, block.bytes) ?? []) yield* below(child.cid)
  }
  return below(dag.root)
}

/** A file's DAG as one CAR: depth first, each block once. `ipfs dag export` has the same order, so the bytes are the same. */
export const carFile = (dag: FileDag): Uint8Array<ArrayBuffer> => {
  const blocks = new Set(walk(dag))
  const parts = [carHeader(dag.root), ...[...blocks].flatMap((block) => [carBlockHead(block), block.bytes])]
  const file = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    file.set(part, at)
    at += part.length
  }
  return file
}

/** The content of the file, leaf by leaf. */
export function* leavesOf(dag: FileDag): Generator<Uint8Array> {
  for (const { bytes, cid } of walk(dag)) if (childrenOf(cid, bytes) === undefined) yield bytes
}
