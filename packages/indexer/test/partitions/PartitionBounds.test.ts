import { assert, describe, it } from "@effect/vitest"
import { boundsAhead, boundsFor } from "../../src/partitions/PartitionBounds.ts"
import { MINUTES, TRADES } from "../../src/partitions/PartitionedRange.ts"
import { hoursOf, widthOf } from "../../src/partitions/PartitionWidth.ts"

const WIDTH = 100n

describe("The width of partitions", () => {
  it("is an eighth of what is kept, and at least a day", () => {
    assert.deepStrictEqual([8, 9, 30, 365].map(hoursOf), [24n, 27n, 90n, 1095n])
    assert.deepStrictEqual(
      [400, 250, 200].map((slotMillis) => widthOf(TRADES, 24n, slotMillis)),
      [216_000n, 345_600n, 432_000n],
    )
    assert.strictEqual(widthOf(MINUTES, 24n, 250), 24n)
  })
})

describe("Bounds of partitions", () => {
  it("of an index without rows wait for the first; what lies before is one partition, and two widths are ahead", () => {
    assert.deepStrictEqual(boundsFor(undefined, WIDTH), [0n])
    assert.deepStrictEqual(boundsAhead(0n, 123_456n, WIDTH, 0), [123_400n, 123_500n, 123_600n, 123_700n])
  })

  it("are made when less than two widths are ahead, not before", () => {
    assert.deepStrictEqual(boundsAhead(700n, 500n, WIDTH, 7), [])
    assert.deepStrictEqual(boundsAhead(700n, 501n, WIDTH, 7), [800n])
    assert.deepStrictEqual(boundsAhead(700n, 650n, WIDTH, 7), [800n, 900n])
  })

  it("after a pause have it in one partition", () => {
    assert.deepStrictEqual(boundsAhead(700n, 100_050n, WIDTH, 7), [100_000n, 100_100n, 100_200n, 100_300n])
  })

  it("grow wider where nothing is dropped: below sixty after a hundred times what is kept", () => {
    let last = 0n
    let count = 0
    for (let newest = 0n; newest < 800n * WIDTH; newest += WIDTH / 2n) {
      const ends = boundsAhead(last, newest, WIDTH, count)
      count += ends.length
      last = ends.at(-1) ?? last
      assert.isTrue(last - newest >= 2n * WIDTH)
    }
    assert.isAbove(count, 24)
    assert.isBelow(count, 60)
  })

  it("for rows that are there follow each other from 0 to ahead of them, with few for what is dropped soon", () => {
    for (const [oldest, newest] of [
      [0n, 10n],
      [5n, 1_234n],
      [990n, 1_000n],
      [12_345n, 98_765n],
      [400_000_017n, 400_900_000n],
    ] as const) {
      const bounds = boundsFor({ oldest, newest }, WIDTH)
      assert.strictEqual(bounds[0], 0n)
      for (const [index, bound] of bounds.slice(1).entries()) {
        assert.isTrue(bound > bounds[index]!, `${bounds}`)
        assert.strictEqual(bound % WIDTH, 0n)
      }
      assert.isTrue(bounds.at(-1)! >= newest + 2n * WIDTH)
      assert.isAtMost(bounds.length, 24)
      const holding = bounds.findLast((bound) => bound <= newest)!
      assert.isTrue(newest - holding < WIDTH)
    }
  })
})
