import { createRequire } from "node:module"
import { parentPort } from "node:worker_threads"

/** A block as transferred between threads: a view of the file's buffer by its position, anything else by its bytes. */
export interface SentBlock {
  readonly cid: Uint8Array
  readonly at: number
  readonly length: number
  readonly bytes: Uint8Array | undefined
}

/** The DAG of one file; the file's buffer is transferred back. */
export interface Imported {
  readonly file: Uint8Array<ArrayBuffer>
  readonly root: Uint8Array
  readonly blocks: ReadonlyArray<SentBlock>
}

const ipfsRequire = createRequire(new URL("../../packages/ipfs/package.json", import.meta.url))
const { importer } = ipfsRequire("ipfs-unixfs-importer")

parentPort!.on("message", async (file: Uint8Array<ArrayBuffer>) => {
  const blocks: Array<SentBlock> = []
  const store = {
    put: async (cid: { readonly bytes: Uint8Array }, block: Uint8Array) => {
      const isView = block.buffer === file.buffer
      const bytes = isView ? undefined : block
      blocks.push({ cid: cid.bytes, at: block.byteOffset, length: block.length, bytes })
      return cid
    },
  }
  let root = new Uint8Array()
  for await (const { cid } of importer([{ content: file }], store, { profile: "unixfs-v1-2025" })) root = cid.bytes
  parentPort!.postMessage({ file, root, blocks } satisfies Imported, [file.buffer])
})
