import { webcrypto } from "node:crypto"
import { setImmediate as nextTurn } from "node:timers/promises"
import { assert, describe, it, vi } from "@effect/vitest"
import { Effect, Exit, Fiber, Schema } from "effect"
import { examples } from "../../../scripts/Laws.ts"
import { buildDag, buildDagOffLoop, childrenOf, type DagProfile, type FileDag, UNIXFS_V1_2025 } from "../src/Dag.ts"
import { dagByImporter } from "./DagByImporter.ts"
import { keystream } from "./DagKeystream.ts"

const MIB = 1_048_576

const noise = (length: number) => keystream("noise", length)

const hexByCid = (blocks: Iterable<readonly [cid: string, bytes: Uint8Array]>) =>
  Object.fromEntries([...blocks].map(([cid, bytes]) => [cid, Buffer.from(bytes).toString("hex")]))

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
  const isOfImporter = Effect.fnUntraced(function* (dag: FileDag, bytes: Uint8Array, profile?: DagProfile) {
    const other = yield* Effect.promise(() => dagByImporter(bytes, profile))
    assert.strictEqual(dag.root.toString(), other.root)
    assert.strictEqual(dag.sizeBytes, bytes.length)
    assert.lengthOf(dag.blocks, other.blocks.size)
    assert.deepStrictEqual(
      hexByCid(dag.blocks.map(({ bytes, cid }) => [cid.toString(), bytes])),
      hexByCid(other.blocks),
    )
  })

  it.effect.each(VECTORS)("has the CID that IPIP-499 gives $name", ({ cid, content }) =>
    Effect.gen(function* () {
      assert.strictEqual(buildDag(content()).root.toString(), cid)
      const dag = yield* buildDagOffLoop(content())
      assert.strictEqual(dag.root.toString(), cid)
    }),
  )

  it.effect.each([0, 1, MIB, MIB + 1, 3 * MIB + 5])("of %i bytes equals that of ipfs-unixfs-importer", (length) => {
    const bytes = noise(length)
    return isOfImporter(buildDag(bytes), bytes)
  })

  const SMALL: DagProfile = { chunkBytes: 8, linksMax: 3 }
  const Length = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 700 }))
  it.effect.prop(
    "with several levels equals that of ipfs-unixfs-importer",
    [Length],
    ([length]) => {
      const bytes = noise(length)
      return isOfImporter(buildDag(bytes, SMALL), bytes, SMALL)
    },
    { arbitrary: { runs: examples(15, 300) } },
  )

  it.effect.each([1023, 1024, 1025, 2048, 2049])("has nodes with at most 1024 links, with %i leaves", (leaves) => {
    const profile = { ...UNIXFS_V1_2025, chunkBytes: 4 }
    const bytes = noise(leaves * 4)
    return isOfImporter(buildDag(bytes, profile), bytes, profile)
  })

  it("has every block once and after the blocks it links to, with the root last", () => {
    const { blocks, root } = buildDag(
      Uint8Array.from({ length: 600 }, (_, at) => at % 24),
      SMALL,
    )
    const before = new Set<string>()
    for (const { bytes, cid } of blocks) {
      for (const child of childrenOf(cid, bytes) ?? []) assert.isTrue(before.has(child.cid.toString()))
      assert.isFalse(before.has(cid.toString()))
      before.add(cid.toString())
    }
    assert.isTrue(blocks.at(-1)!.cid.equals(root))
  })

  it("has leaves that share memory with the content", () => {
    const bytes = noise(MIB + 5)
    for (const { bytes: leaf } of buildDag(bytes).blocks.slice(0, 2)) assert.strictEqual(leaf.buffer, bytes.buffer)
  })

  it("knows how many bytes of the file each child covers", () => {
    const dag = buildDag(noise(2 * MIB + 7))
    const root = dag.blocks.find(({ cid }) => cid.equals(dag.root))!
    assert.deepStrictEqual(
      childrenOf(root.cid, root.bytes)?.map(({ fileBytes }) => fileBytes),
      [MIB, MIB, 7],
    )
  })
})

describe("A DAG hashed off the event loop", () => {
  it.effect.each([0, 1, MIB, MIB + 1, 20 * MIB + 3])("equals one hashed on it, of %i bytes", (length) =>
    Effect.gen(function* () {
      // A view, like the bytes of a request.
      const bytes = noise(length + 9).subarray(9)
      const [off, on] = [yield* buildDagOffLoop(bytes), buildDag(bytes)]
      assert.isTrue(off.root.equals(on.root))
      assert.strictEqual(off.sizeBytes, length)
      assert.lengthOf(off.blocks, on.blocks.length)
      for (const [index, { bytes, cid }] of off.blocks.entries()) {
        assert.isTrue(cid.equals(on.blocks[index]!.cid))
        assert.isTrue(Buffer.from(bytes).equals(on.blocks[index]!.bytes))
      }
    }),
  )

  it.effect("does not block the event loop for a large file", () =>
    Effect.gen(function* () {
      let hasTurned = false
      setImmediate(() => (hasTurned = true))
      yield* buildDagOffLoop(noise(12 * MIB))
      assert.isTrue(hasTurned)
    }),
  )

  it.live("starts no more hashes once it is interrupted", () =>
    Effect.gen(function* () {
      const digest = yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(webcrypto.subtle, "digest")),
        (spy) => Effect.sync(() => spy.mockRestore()),
      )
      const fiber = yield* Effect.forkChild(buildDagOffLoop(new Uint8Array(64 * MIB)), { startImmediately: true })
      yield* Fiber.interrupt(fiber)
      assert.isTrue(Exit.hasInterrupts(yield* Fiber.await(fiber)))
      const begun = digest.mock.calls.length
      assert.isBelow(begun, 64)
      for (let turn = 0; turn < 20; turn++) yield* Effect.promise(() => nextTurn())
      assert.strictEqual(digest.mock.calls.length, begun)
    }),
  )
})
