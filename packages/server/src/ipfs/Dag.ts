import { createHash } from "node:crypto"
import * as dagPb from "@ipld/dag-pb"
import { UnixFS } from "ipfs-unixfs"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"
import { create } from "multiformats/hashes/digest"

/** Parameters of the profile unixfs-v1-2025 (IPIP-499): CIDv1, sha2-256, raw leaves, 1 MiB chunks, 1024 links, balanced. */
const CHUNK_BYTES = 1_048_576
const LINKS_MAX = 1024
const SHA2_256 = 0x12

/** A block of a DAG. */
export interface Block {
  readonly cid: CID
  readonly bytes: Uint8Array
}

/** A node of a file's DAG: its block, the size of the file below it, and the size of all blocks below and with it. */
interface Node extends Block {
  readonly fileBytes: number
  readonly dagBytes: number
}

/** A file as IPFS sees it. */
export interface FileDag {
  readonly root: CID
  /** Every block once, leaves before the nodes that link them. */
  readonly blocks: ReadonlyArray<Block>
  readonly sizeBytes: number
}

const cidOf = (codec: number, bytes: Uint8Array): CID =>
  CID.createV1(codec, create(SHA2_256, createHash("sha256").update(bytes).digest()))

const leaf = (bytes: Uint8Array): Node => ({
  cid: cidOf(raw.code, bytes),
  bytes,
  fileBytes: bytes.length,
  dagBytes: bytes.length,
})

const parent = (children: ReadonlyArray<Node>): Node => {
  const file = new UnixFS({ type: "file", blockSizes: children.map(({ fileBytes }) => BigInt(fileBytes)) })
  const Links = children.map(({ cid, dagBytes }) => ({ Name: "", Hash: cid, Tsize: dagBytes }))
  const bytes = dagPb.encode({ Data: file.marshal(), Links })
  return {
    cid: cidOf(dagPb.code, bytes),
    bytes,
    fileBytes: children.reduce((sum, { fileBytes }) => sum + fileBytes, 0),
    dagBytes: children.reduce((sum, { dagBytes }) => sum + dagBytes, bytes.length),
  }
}

/** The DAG of a file of these bytes: the same bytes give the same CID here and at every tool of the same profile. */
export const buildDag = (bytes: Uint8Array): FileDag => {
  let level: ReadonlyArray<Node> = chunks(bytes).map(leaf)
  const blocks = new Map<string, Block>()
  for (;;) {
    for (const { bytes, cid } of level) blocks.set(cid.toString(), { cid, bytes })
    if (level.length === 1) return { root: level[0]!.cid, blocks: [...blocks.values()], sizeBytes: bytes.length }
    level = grouped(level, LINKS_MAX).map(parent)
  }
}

/** An empty file is one empty chunk. */
const chunks = (bytes: Uint8Array): ReadonlyArray<Uint8Array> => {
  const parts: Array<Uint8Array> = []
  for (let at = 0; at === 0 || at < bytes.length; at += CHUNK_BYTES) parts.push(bytes.subarray(at, at + CHUNK_BYTES))
  return parts
}

const grouped = <A>(items: ReadonlyArray<A>, size: number): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) => items.slice(index * size, (index + 1) * size))

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
