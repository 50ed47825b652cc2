import { importer } from "ipfs-unixfs-importer"
import { fixedSize } from "ipfs-unixfs-importer/chunker"
import { balanced } from "ipfs-unixfs-importer/layout"
import type { DagProfile } from "../src/Dag.ts"

/** A DAG by another implementation: its root and its blocks by CID. */
export interface ImportedDag {
  readonly root: string
  readonly blocks: ReadonlyMap<string, Uint8Array>
}

/** The DAG by ipfs-unixfs-importer with its own profile unixfs-v1-2025, or with other sizes of leaf and node. */
export const dagByImporter = async (bytes: Uint8Array, sizes?: DagProfile): Promise<ImportedDag> => {
  const blocks = new Map<string, Uint8Array>()
  const store = {
    put: async (cid: { toString(): string }, block: Uint8Array) => (blocks.set(cid.toString(), block), cid),
  }
  const options =
    sizes === undefined
      ? { profile: "unixfs-v1-2025" as const }
      : {
          cidVersion: 1 as const,
          rawLeaves: true,
          reduceSingleLeafToSelf: true,
          chunker: fixedSize({ chunkSize: sizes.chunkBytes }),
          layout: balanced({ maxChildrenPerNode: sizes.linksMax }),
        }
  let root = ""
  for await (const entry of importer([{ content: bytes }], store as never, options)) root = entry.cid.toString()
  return { root, blocks }
}
