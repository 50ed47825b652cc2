import { createWriter, headerLength } from "@ipld/car/buffer-writer"
import { varint } from "multiformats"
import type { CID } from "multiformats/cid"
import type { Block, FileDag } from "./Dag.ts"

/** The header of a CAR, version 1 (https://ipld.io/specs/transport/car/carv1), with one root. */
export const carHeader = (root: CID): Uint8Array => {
  const roots = [root]
  return createWriter(new ArrayBuffer(headerLength({ roots })), { roots }).close()
}

/** A block in a CAR: the length of CID and bytes, then both. */
export const carBlock = ({ bytes, cid }: Block): ReadonlyArray<Uint8Array> => [
  varint.encodeTo(
    cid.bytes.length + bytes.length,
    new Uint8Array(varint.encodingLength(cid.bytes.length + bytes.length)),
  ),
  cid.bytes,
  bytes,
]

/** A file's DAG as one CAR: depth first, each block once. `ipfs dag export` has the same order, so the bytes are the same. */
export const carFile = ({ blocks, root }: FileDag): Uint8Array<ArrayBuffer> =>
  Buffer.concat([carHeader(root), ...blocks.flatMap(carBlock)])
