import { createCipheriv, createHash } from "node:crypto"
import { CarReader } from "@ipld/car/reader"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { importer } from "ipfs-unixfs-importer"
import { carFile } from "../src/content/CarFile.ts"
import { buildDag, leavesOf } from "../src/content/Dag.ts"
import { importCar } from "./filebase/CarImport.ts"
import { noise } from "./Noise.ts"

const MIB = 1_048_576

/** The content of the vectors of IPIP-499: the ChaCha20 keystream of sha256(seed) as key, with nonce and counter zero. */
const keystream = (seed: string, length: number): Uint8Array =>
  createCipheriv("chacha20", createHash("sha256").update(seed).digest(), new Uint8Array(16)).update(
    new Uint8Array(length),
  )

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

/** The DAG by ipfs-unixfs-importer with its own profile: its root and its blocks by CID. */
const dagByImporter = async (bytes: Uint8Array) => {
  const blocks = new Map<string, Buffer>()
  const store = {
    put: async (cid: { toString(): string }, block: Uint8Array) => (
      blocks.set(cid.toString(), Buffer.from(block)),
      cid
    ),
  }
  let root = ""
  const source = [{ content: bytes }]
  for await (const entry of importer(source, store as never, { profile: "unixfs-v1-2025" })) root = entry.cid.toString()
  return { root, blocks }
}

describe("The DAG of a file", () => {
  it.each(VECTORS)("has the CID that IPIP-499 gives $name", ({ cid, content }) => {
    assert.strictEqual(buildDag(content()).root.toString(), cid)
  })

  it.each([0, 1, MIB, MIB + 1, 3 * MIB + 5, 15 * MIB])(
    "of %i bytes equals that of ipfs-unixfs-importer",
    async (size) => {
      const dag = buildDag(noise(size))
      const other = await dagByImporter(noise(size))
      assert.strictEqual(dag.root.toString(), other.root)
      assert.strictEqual(dag.sizeBytes, size)
      assert.lengthOf(dag.blocks, other.blocks.size)
      for (const { bytes, cid } of dag.blocks) assert.isTrue(other.blocks.get(cid.toString())?.equals(bytes))
    },
  )

  it("knows which bytes of the file each leaf has", () => {
    const [root, ...leaves] = buildDag(noise(2 * MIB + 7)).blocks
    assert.deepStrictEqual(
      leavesOf(root!).map(({ end, start }) => [start, end]),
      [
        [0, MIB],
        [MIB, 2 * MIB],
        [2 * MIB, 2 * MIB + 7],
      ],
    )
    assert.deepStrictEqual(leavesOf(leaves[0]!), [])
  })

  it.effect("is a CAR in the order of the file, with each block once", () =>
    Effect.promise(async () => {
      const repeating = Buffer.concat([noise(MIB), noise(MIB), noise(9)])
      for (const bytes of [Buffer.alloc(0), noise(3 * MIB + 5), repeating]) {
        const dag = buildDag(bytes)
        const car = carFile(dag)
        const reader = await CarReader.fromBytes(car)
        assert.strictEqual(reader.version, 1)
        assert.deepStrictEqual((await reader.getRoots()).map(String), [dag.root.toString()])
        const cids: Array<string> = []
        for await (const { cid } of reader.blocks()) cids.push(cid.toString())
        assert.deepStrictEqual(cids, [...new Set(dag.blocks.map(({ cid }) => cid.toString()))])
        assert.strictEqual(cids[0], dag.root.toString())
        assert.isTrue((await importCar(car)).file.equals(bytes))
      }
    }),
  )
})
