import { createHash } from "node:crypto"
import { CarReader } from "@ipld/car"
import { assert } from "@effect/vitest"
import { exporter } from "ipfs-unixfs-exporter"
import { CID } from "multiformats/cid"

/** A CAR as read by a verifying client: each block matches its CID. */
export interface VerifiedCar {
  readonly roots: ReadonlyArray<string>
  /** In the order they came. */
  readonly cids: ReadonlyArray<string>
  readonly blocks: ReadonlyMap<string, Uint8Array>
}

export const verifyBlock = (cid: CID, bytes: Uint8Array): void => {
  assert.strictEqual(cid.multihash.code, 0x12)
  const digest = createHash("sha256").update(bytes).digest()
  assert.isTrue(digest.equals(cid.multihash.digest), `the block is not ${cid.toString()}`)
}

export const verifyCar = async (car: Uint8Array): Promise<VerifiedCar> => {
  const reader = await CarReader.fromBytes(car)
  const cids: Array<string> = []
  const blocks = new Map<string, Uint8Array>()
  for await (const { bytes, cid } of reader.blocks()) {
    verifyBlock(cid, bytes)
    cids.push(cid.toString())
    blocks.set(cid.toString(), bytes)
  }
  return { roots: (await reader.getRoots()).map((root) => root.toString()), cids, blocks }
}

/** The bytes of a file, assembled by another implementation from the blocks of a CAR. */
export const fileFrom = async (
  { blocks }: VerifiedCar,
  root: string,
  range: { readonly offset?: number; readonly length?: number } = {},
): Promise<Buffer> => {
  const store = {
    get: async function* (cid: CID) {
      const bytes = blocks.get(cid.toString())
      if (bytes === undefined) throw new Error(`the CAR lacks ${cid.toString()}`)
      yield bytes
    },
  }
  const entry = await exporter(root, store as never)
  if (entry.type !== "file" && entry.type !== "raw") throw new Error(`${root} is a ${entry.type}`)
  const parts: Array<Uint8Array> = []
  for await (const part of entry.content(range)) parts.push(part)
  return Buffer.concat(parts)
}
