import { hash } from "node:crypto"
import * as dagPb from "@ipld/dag-pb"
import { UnixFS } from "ipfs-unixfs"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"
import { create } from "multiformats/hashes/digest"

/** A block of a DAG. */
export interface Block {
  readonly cid: CID
  readonly bytes: Uint8Array
}

/** The DAG of a file. */
export interface FileDag {
  readonly root: CID
  readonly sizeBytes: number
  /** Each block once: the root, then the leaves in the order of the file. */
  readonly blocks: ReadonlyArray<Block>
}

/** The profile unixfs-v1-2025 of IPIP-499: bytes per leaf and links per node, more than the largest upload needs. */
const CHUNK_BYTES = 1_048_576
const LINKS_MAX = 1024

/** Multihash code of sha2-256. */
const SHA2_256 = 0x12

const blockOf = (codec: number, bytes: Uint8Array): Block => ({
  cid: CID.createV1(codec, create(SHA2_256, hash("sha256", bytes, "buffer"))),
  bytes,
})

/** The DAG of a file. Not by ipfs-unixfs-importer, which takes 49 more packages. */
export const buildDag = (bytes: Uint8Array, chunkBytes = CHUNK_BYTES): FileDag => {
  // An empty file has one empty leaf.
  const leaves = Array.from({ length: Math.max(1, Math.ceil(bytes.length / chunkBytes)) }, (_, index) =>
    blockOf(raw.code, bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes)),
  )
  if (leaves.length > LINKS_MAX) throw new Error(`A file of ${bytes.length} bytes needs more than one node`)
  const blocks = leaves.length === 1 ? leaves : [nodeOf(leaves), ...leaves]
  const once = new Map(blocks.map((block) => [block.cid.toString(), block]))
  return { root: blocks[0]!.cid, sizeBytes: bytes.length, blocks: [...once.values()] }
}

const nodeOf = (leaves: ReadonlyArray<Block>): Block => {
  const file = new UnixFS({ type: "file", blockSizes: leaves.map(({ bytes }) => BigInt(bytes.length)) })
  const Links = leaves.map(({ bytes, cid }) => ({ Name: "", Hash: cid, Tsize: bytes.length }))
  return blockOf(dagPb.code, dagPb.encode({ Data: file.marshal(), Links }))
}

/** A leaf, and which bytes of the file it has: from `start` up to, not including, `end`. */
export interface Leaf {
  readonly cid: CID
  readonly start: number
  readonly end: number
}

/** The leaves of a file in order; none if the root has the bytes itself. */
export const leavesOf = ({ bytes, cid }: Block): ReadonlyArray<Leaf> => {
  if (cid.code !== dagPb.code) return []
  const node = dagPb.decode(bytes)
  const sizes = UnixFS.unmarshal(node.Data!).blockSizes
  let end = 0
  return node.Links.map(({ Hash }, index) => {
    const start = end
    end += Number(sizes[index])
    return { cid: Hash as unknown as CID, start, end }
  })
}
