import { hash, webcrypto } from "node:crypto"
import * as dagPb from "@ipld/dag-pb"
import { Effect } from "effect"
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
  /** Each block once, after the blocks it links to. */
  readonly blocks: ReadonlyArray<Block>
}

/** How a file becomes a balanced DAG of raw leaves, with CIDv1 and sha2-256: bytes per leaf, links per node. */
export interface DagProfile {
  readonly chunkBytes: number
  readonly linksMax: number
}

/** The profile unixfs-v1-2025 of IPIP-499. */
export const UNIXFS_V1_2025: DagProfile = { chunkBytes: 1_048_576, linksMax: 1024 }

/** Multihash code of sha2-256. */
export const SHA2_256 = 0x12

/** The number of libuv threads by default; `subtle.digest` copies its input, so this also bounds the copies. */
const HASHES_IN_FLIGHT = 4

/**
 * The DAG of a file, hashed on the event loop: for small files. Written here rather than with ipfs-unixfs-importer, which takes
 * 49 more packages and twice the time for files of up to 64 KiB.
 */
export const buildDag = (bytes: Uint8Array, profile: DagProfile = UNIXFS_V1_2025): FileDag =>
  dagOf(
    chunksOf(bytes, profile.chunkBytes).map((chunk) => leafOf(chunk, hash("sha256", chunk, "buffer"))),
    profile,
  )

/** The same DAG, hashed on other threads unless the file is a single leaf, for which handing over takes longer than hashing. */
export const buildDagOffLoop = (bytes: Uint8Array): Effect.Effect<FileDag> => {
  const { chunkBytes } = UNIXFS_V1_2025
  if (bytes.length <= chunkBytes) return Effect.sync(() => buildDag(bytes))
  const leaves = Effect.forEach(chunksOf(bytes, chunkBytes), hashOffLoop, { concurrency: HASHES_IN_FLIGHT })
  return Effect.map(leaves, (leaves) => dagOf(leaves, UNIXFS_V1_2025))
}

const hashOffLoop = (chunk: Uint8Array): Effect.Effect<Block> =>
  Effect.map(
    Effect.promise(() => webcrypto.subtle.digest("SHA-256", chunk)),
    (digest) => leafOf(chunk, new Uint8Array(digest)),
  )

/** Views of the file, one per leaf; an empty file has one empty leaf. */
const chunksOf = (bytes: Uint8Array, chunkBytes: number): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.max(1, Math.ceil(bytes.length / chunkBytes)) }, (_, index) =>
    bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  )

const cidOf = (codec: number, digest: Uint8Array): CID => CID.createV1(codec, create(SHA2_256, digest))

const leafOf = (bytes: Uint8Array, digest: Uint8Array): Block => ({ cid: cidOf(raw.code, digest), bytes })

/** A node as its parent links to it: the size of the file below it, and of all blocks below and including it. */
interface Link {
  readonly cid: CID
  readonly fileBytes: number
  readonly dagBytes: number
}

/** Adds levels of parents until one node is left. */
const dagOf = (leaves: ReadonlyArray<Block>, { linksMax }: DagProfile): FileDag => {
  const blocks = [...leaves]
  let level = leaves.map(({ bytes, cid }): Link => ({ cid, fileBytes: bytes.length, dagBytes: bytes.length }))
  while (level.length > 1) {
    const parents: Array<Link> = []
    for (let at = 0; at < level.length; at += linksMax) {
      const { block, link } = parentOf(level.slice(at, at + linksMax))
      blocks.push(block)
      parents.push(link)
    }
    level = parents
  }
  const [{ cid: root, fileBytes: sizeBytes }] = level as [Link]
  return { root, sizeBytes, blocks: [...new Map(blocks.map((block) => [block.cid.toString(), block])).values()] }
}

const parentOf = (children: ReadonlyArray<Link>): { readonly block: Block; readonly link: Link } => {
  const file = new UnixFS({ type: "file", blockSizes: children.map(({ fileBytes }) => BigInt(fileBytes)) })
  const Links = children.map(({ cid, dagBytes }) => ({ Name: "", Hash: cid, Tsize: dagBytes }))
  const bytes = dagPb.encode({ Data: file.marshal(), Links })
  const cid = cidOf(dagPb.code, hash("sha256", bytes, "buffer"))
  const fileBytes = children.reduce((sum, child) => sum + child.fileBytes, 0)
  const dagBytes = children.reduce((sum, child) => sum + child.dagBytes, bytes.length)
  return { block: { cid, bytes }, link: { cid, fileBytes, dagBytes } }
}

/** A child of a node, and the number of file bytes below it. */
export interface Child {
  readonly cid: CID
  readonly fileBytes: number
}

/** The children of a node; `undefined` for a raw leaf, whose bytes are file content. */
export const childrenOf = (cid: CID, bytes: Uint8Array): ReadonlyArray<Child> | undefined => {
  if (cid.code !== dagPb.code) return undefined
  const node = dagPb.decode(bytes)
  const sizes = UnixFS.unmarshal(node.Data!).blockSizes
  return node.Links.map(({ Hash }, index) => ({ cid: Hash as unknown as CID, fileBytes: Number(sizes[index]) }))
}
