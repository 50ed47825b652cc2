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

/** How a file becomes a balanced DAG of raw leaves, with CIDv1 and sha2-256: the size of a leaf, and links of a node. */
export interface DagProfile {
  readonly chunkBytes: number
  readonly linksMax: number
}

/** The profile unixfs-v1-2025 of IPIP-499. */
export const UNIXFS_V1_2025: DagProfile = { chunkBytes: 1_048_576, linksMax: 1024 }

/** What a file is called, and its length. */
export interface DagRoot {
  readonly root: CID
  readonly sizeBytes: number
}

const SHA2_256 = 0x12

const cidOf = (codec: number, digest: Uint8Array): CID => CID.createV1(codec, create(SHA2_256, digest))

/** The block of a stretch of a file, of its bytes and their sha2-256. */
export const leafOf = (bytes: Uint8Array, digest: Uint8Array): Block => ({ cid: cidOf(raw.code, digest), bytes })

/** A node as its parent links it: the bytes of the file below it, and of all blocks below and with it. */
interface Link {
  readonly cid: CID
  readonly fileBytes: number
  readonly dagBytes: number
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

/**
 * The nodes above the leaves of a file, made as the leaves come: a node is finished with its last child. It keeps the links
 * of unfinished nodes alone, so its memory is that of one node a level.
 */
export class DagTree {
  /** By level, leaves first: the nodes that have no parent yet. */
  readonly #levels: Array<Array<Link>> = []
  readonly #linksMax: number
  #sizeBytes = 0

  constructor({ linksMax }: DagProfile) {
    this.#linksMax = linksMax
  }

  /** Adds the next leaf of the file and returns the nodes it finished, each after its children. */
  add({ bytes, cid }: Block): ReadonlyArray<Block> {
    this.#sizeBytes += bytes.length
    const finished: Array<Block> = []
    this.#put(0, { cid, fileBytes: bytes.length, dagBytes: bytes.length }, finished)
    return finished
  }

  /** After the last leaf: the nodes that were unfinished, each after its children, and the root. */
  end(): DagRoot & { readonly finished: ReadonlyArray<Block> } {
    const finished: Array<Block> = []
    for (let level = 0; level < this.#levels.length; level++) {
      const nodes = this.#levels[level]!
      const isTop = level === this.#levels.length - 1
      if (isTop && nodes.length === 1) return { root: nodes[0]!.cid, sizeBytes: this.#sizeBytes, finished }
      if (nodes.length > 0) this.#close(level, finished)
    }
    throw new Error("A file has one leaf at least: an empty one has an empty leaf")
  }

  #put(level: number, node: Link, finished: Array<Block>): void {
    const nodes = (this.#levels[level] ??= [])
    nodes.push(node)
    if (nodes.length === this.#linksMax) this.#close(level, finished)
  }

  #close(level: number, finished: Array<Block>): void {
    const { block, link } = parentOf(this.#levels[level]!)
    this.#levels[level] = []
    finished.push(block)
    this.#put(level + 1, link, finished)
  }
}
