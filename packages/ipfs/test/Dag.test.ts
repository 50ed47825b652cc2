import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { buildDag, childrenOf } from "../src/Dag.ts"
import { buildDagOffLoop } from "../src/DagBuilder.ts"
import { dagByImporter } from "./DagByImporter.ts"
import { keystream } from "./DagKeystream.ts"

const MIB = 1_048_576

const noise = (length: number) => keystream("noise", length)

/** Vectors of the profile unixfs-v1-2025, as Kubo's and js-ipfs-unixfs' tests of IPIP-499 have them. */
const VECTORS = [
  {
    name: "hello world",
    content: () => new TextEncoder().encode("hello world"),
    cid: "bafkreifzjut3te2nhyekklss27nh3k72ysco7y32koao5eei66wof36n5e",
  },
  {
    name: "a file of one full chunk",
    content: () => keystream("chunk-v1-seed", MIB),
    cid: "bafkreiacndfy443ter6qr2tmbbdhadvxxheowwf75s6zehscklu6ezxmta",
  },
  {
    name: "a file of a chunk and one byte",
    content: () => keystream("chunk-v1-seed", MIB + 1),
    cid: "bafybeigmix7t42i6jacydtquhet7srwvgpizfg7gjbq7627d35mjomtu64",
  },
]

describe("The DAG of a file", () => {
  it.effect.each(VECTORS)("has the CID that IPIP-499 gives $name", ({ cid, content }) =>
    Effect.gen(function* () {
      assert.strictEqual(buildDag(content()).root.toString(), cid)
      const dag = yield* buildDagOffLoop(content())
      assert.strictEqual(dag.root.toString(), cid)
    }),
  )

  it.each([0, 1, 5, MIB - 1, MIB, MIB + 1, 2 * MIB, 3 * MIB + 5])(
    "of %i bytes equals that of ipfs-unixfs-importer, block for block",
    async (length) => {
      const bytes = noise(length)
      const dag = buildDag(bytes)
      const other = await dagByImporter(bytes)
      assert.strictEqual(dag.root.toString(), other.root)
      assert.strictEqual(dag.sizeBytes, length)
      assert.sameMembers(
        dag.blocks.map(({ cid }) => cid.toString()),
        [...other.blocks.keys()],
      )
      for (const { bytes, cid } of dag.blocks)
        assert.isTrue(Buffer.from(bytes).equals(other.blocks.get(cid.toString())!))
    },
  )

  it("has every block once, and its root last", () => {
    const { blocks, root } = buildDag(new Uint8Array(3 * MIB))
    assert.deepStrictEqual(
      blocks.map(({ bytes }) => bytes.length === MIB),
      [true, false],
    )
    assert.isTrue(blocks.at(-1)!.cid.equals(root))
  })

  it("shares its leaves with the bytes it was built of", () => {
    const bytes = noise(MIB + 5)
    for (const { bytes: leaf } of buildDag(bytes).blocks.slice(0, 2)) assert.strictEqual(leaf.buffer, bytes.buffer)
  })

  it("tells which part of the file each child holds", () => {
    const dag = buildDag(noise(2 * MIB + 7))
    const root = dag.blocks.find(({ cid }) => cid.equals(dag.root))!
    assert.deepStrictEqual(
      childrenOf(root.cid, root.bytes)?.map(({ fileBytes }) => fileBytes),
      [MIB, MIB, 7],
    )
  })
})
