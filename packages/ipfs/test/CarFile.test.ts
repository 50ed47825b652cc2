import { CarReader } from "@ipld/car/reader"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { examples } from "../../../scripts/Laws.ts"
import { buildDag } from "../src/Dag.ts"
import { carFile, leavesOf } from "../src/CarFile.ts"
import { importCar } from "./filebase/CarImport.ts"
import { noise } from "./Noise.ts"

const MIB = 1_048_576

/** The roots and the blocks in order, as read by `@ipld/car`. */
const read = (car: Uint8Array) =>
  Effect.promise(async () => {
    const reader = await CarReader.fromBytes(car)
    const blocks: Array<{ readonly cid: string; readonly bytes: Uint8Array }> = []
    for await (const { bytes, cid } of reader.blocks()) blocks.push({ cid: cid.toString(), bytes })
    return { version: reader.version, roots: (await reader.getRoots()).map(String), blocks }
  })

describe("A CAR of a file", () => {
  const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 * MIB }))
  it.effect.prop(
    "contains its root and all of its blocks once, the root first",
    { size: Size },
    ({ size }) =>
      Effect.gen(function* () {
        const dag = buildDag(noise(size))
        const { blocks, roots, version } = yield* read(carFile(dag))
        assert.strictEqual(version, 1)
        assert.deepStrictEqual(roots, [dag.root.toString()])
        assert.strictEqual(blocks[0]!.cid, dag.root.toString())
        const ours = new Map(dag.blocks.map(({ bytes, cid }) => [cid.toString(), bytes]))
        assert.sameMembers(
          blocks.map(({ cid }) => cid),
          [...ours.keys()],
        )
        for (const { bytes, cid } of blocks) assert.isTrue(Buffer.from(ours.get(cid)!).equals(bytes))
      }),
    { arbitrary: { runs: examples(6, 100) } },
  )

  it.effect("is in the order of the file, whatever the order of the blocks", () =>
    Effect.gen(function* () {
      const dag = buildDag(noise(3 * MIB + 5))
      const shuffled = { ...dag, blocks: dag.blocks.toReversed() }
      assert.isTrue(Buffer.from(carFile(dag)).equals(carFile(shuffled)))
      const { blocks } = yield* read(carFile(dag))
      const content = Buffer.concat(blocks.slice(1).map(({ bytes }) => bytes))
      assert.isTrue(content.equals(noise(3 * MIB + 5)))
    }),
  )

  it.effect("has a repeated block once, and the file is complete nevertheless", () =>
    Effect.gen(function* () {
      const bytes = Buffer.alloc(3 * MIB, 7)
      const dag = buildDag(bytes)
      const car = carFile(dag)
      assert.strictEqual((yield* read(car)).blocks.length, 2)
      const imported = yield* Effect.promise(() => importCar(car))
      assert.isTrue(imported.file.equals(bytes))
      assert.isTrue(Buffer.concat([...leavesOf(dag)]).equals(bytes))
    }),
  )

  it("of a DAG with a missing block is a defect", () => {
    const dag = buildDag(noise(2 * MIB))
    assert.throws(() => carFile({ ...dag, blocks: dag.blocks.slice(1) }), "is missing")
  })
})
