import { CarReader } from "@ipld/car/reader"
import { exporter } from "ipfs-unixfs-exporter"
import { importer } from "ipfs-unixfs-importer"
import { CID } from "multiformats/cid"
import { equals } from "multiformats/bytes"
import { sha256 } from "multiformats/hashes/sha2"

/** The result of importing a CAR. */
export interface Imported {
  /** The CID that `ipfs-unixfs-importer` gives the content. */
  readonly cid: CID
  readonly file: Buffer
}

/**
 * Imports a CAR of one file as an IPFS node would, with other implementations: reads it with `@ipld/car`,
 * checks the hash of each block, assembles the file with `ipfs-unixfs-exporter`, which fails when a block is missing,
 * and imports the content again with `ipfs-unixfs-importer`. Rejects anything else.
 */
export const importCar = async (bytes: Uint8Array): Promise<Imported> => {
  const reader = await CarReader.fromBytes(bytes)
  const [root, ...others] = await reader.getRoots()
  if (root === undefined || others.length > 0) throw new Error("A CAR of one file has one root")
  const blocks = new Map<string, Uint8Array>()
  for await (const block of reader.blocks()) {
    const digest = await sha256.digest(block.bytes)
    if (!equals(digest.bytes, block.cid.multihash.bytes)) throw new Error(`${block.cid.toString()} is another block`)
    if (blocks.has(block.cid.toString())) throw new Error(`${block.cid.toString()} is there twice`)
    blocks.set(block.cid.toString(), block.bytes)
  }

  const blockstore = {
    async *get(cid: { toString(): string }) {
      const block = blocks.get(cid.toString())
      if (block === undefined) throw new Error(`${cid.toString()} is missing`)
      yield block
    },
  }
  const entry = await exporter(CID.parse(root.toString()), blockstore as never)
  if (entry.type !== "file" && entry.type !== "raw") throw new Error(`A ${entry.type} is no file`)
  const pieces: Array<Uint8Array> = []
  for await (const piece of entry.content()) pieces.push(piece)
  const file = Buffer.concat(pieces)

  const nowhere = { put: async (cid: unknown) => cid }
  for await (const { cid } of importer([{ content: file }], nowhere as never, { profile: "unixfs-v1-2025" })) {
    return { cid: CID.parse(cid.toString()), file }
  }
  throw new Error("The importer gave nothing")
}
