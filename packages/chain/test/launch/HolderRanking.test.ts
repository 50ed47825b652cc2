import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { examples } from "../../../../scripts/Laws.ts"
import { rankHolders } from "../../src/holders/HolderRanking.ts"

const SUPPLY = 10n ** 15n

describe("The ranking of holders", () => {
  it.effect("is that of one sort, whatever there is", () =>
    Effect.gen(function* () {
      let state = 1
      const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
      const sizes = [0, 1, 4_999, 5_000, 5_001, 10_000, 17_003]
      for (let times = 0; times < examples(1, 20); times++)
        for (const size of sizes) {
          const amounts = new Map(
            Array.from({ length: size }, () => [
              `owner${random(1_000_000)}`,
              BigInt(random(random(2) === 0 ? 3 : 10 ** 9)),
            ]),
          )
          const isHolder = (owner: string) => !owner.endsWith("7")
          const expected = [...amounts]
            .filter(([owner, amount]) => amount > 0n && isHolder(owner))
            .sort(([a, left], [b, right]) => (left === right ? (a < b ? -1 : 1) : left < right ? 1 : -1))
            .map(([owner, amount]) => [owner, String(amount)])
          const ranked = yield* rankHolders(amounts, SUPPLY, isHolder)
          assert.deepStrictEqual(
            ranked.map(({ address, amount }) => [String(address), amount]),
            expected,
          )
        }
    }),
  )
})
