import { assert, describe, it } from "@effect/vitest"
import { importer } from "ipfs-unixfs-importer"
import { buildDag, childrenOf } from "../../src/ipfs/Dag.ts"

const MIB = 1_048_576

const noise = (length: number) => Uint8Array.from({ length }, (_, index) => (index * 2_654_435_761) >>> 24)

/** Root and number of blocks by another implementation of the same profile. */
const byImporter = async (bytes: Uint8Array) => {
  const blocks = new Map<string, Uint8Array>()
  const store = {
    put: async (cid: { toString(): string }, block: Uint8Array) => (blocks.set(cid.toString(), block), cid),
  }
  let root = ""
  for await (const entry of importer([{ content: bytes }], store as never, { profile: "unixfs-v1-2025" }))
    root = entry.cid.toString()
  return { root, blocks }
}

describe("The DAG of a file", () => {
  it("has the CID that IPIP-499 gives hello world", () => {
    const { root } = buildDag(new TextEncoder().encode("hello world"))
    assert.strictEqual(root.toString(), "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e")
  })

  it.each([0, 1, 5, MIB - 1, MIB, MIB + 1, 2 * MIB, 3 * MIB + 5])(
    "of %i bytes equals that of ipfs-unixfs-importer, block for block",
    async (length) => {
      const bytes = noise(length)
      const dag = buildDag(bytes)
      const other = await byImporter(bytes)
      assert.strictEqual(dag.root.toString(), other.root)
      assert.sameMembers(
        dag.blocks.map(({ cid }) => cid.toString()),
        [...other.blocks.keys()],
      )
      for (const { bytes, cid } of dag.blocks)
        assert.isTrue(Buffer.from(bytes).equals(other.blocks.get(cid.toString())!))
    },
  )

  it("tells which part of the file each child holds", () => {
    const dag = buildDag(noise(2 * MIB + 7))
    const root = dag.blocks.find(({ cid }) => cid.equals(dag.root))!
    assert.deepStrictEqual(
      childrenOf(root.cid, root.bytes)?.map(({ fileBytes }) => fileBytes),
      [MIB, MIB, 7],
    )
  })
})
