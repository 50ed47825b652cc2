import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Effect } from "effect"
import { seeds } from "../../../../scripts/Laws.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { CUT_NAMES, CUTS } from "../CutBodies.ts"
import { signatureOf, standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { digest, fold, forget, lead, receive } from "../TestIndex.ts"
import { ANSWERED_CUTS, completeAll, poisonLeft, textOf } from "./CompletedIndex.ts"
import {
  blocks,
  covered,
  digestOfAll,
  landed,
  LAST,
  ORIGIN,
  reconciledIndex,
  round,
  roundAtLast,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN

/** Bodies of a transaction, cut in random ways, doubled, and in any order. */
const bodiesOf = (one: RawTransaction, random: SeededRandom, hasWhole: boolean): ReadonlyArray<unknown> => {
  const cuts = Array.from({ length: random.below(4) }, () => CUTS[random.pick(CUT_NAMES)](one))
  const all = hasWhole ? [...cuts, one, ...(random.chance(0.3) ? [one] : [])] : cuts
  return all.toSorted(() => random.below(3) - 1)
}

describe("Any bodies of transactions, cut, doubled and in any order", () => {
  it.live("give the tables of the whole ones, where each is delivered as a whole at least once", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, landed)
        for (const seed of seeds(3, 40)) {
          yield* forget
          const random = new SeededRandom(seed)
          const bodies = landed.flatMap((one) => bodiesOf(one, random, true)).toSorted(() => random.below(3) - 1)
          for (let at = 0; at < bodies.length;) {
            const next = at + 1 + random.below(60)
            yield* receive([textOf(bodies.slice(at, next))])
            if (random.chance(0.3)) yield* fold(fence)
            at = next
          }
          yield* fold(fence)
          assert.deepStrictEqual(yield* digest, whole, `seed ${seed}`)
          yield* replay(fence)
          assert.deepStrictEqual(yield* digest, whole, `replay of seed ${seed}`)
        }
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("give the tables of the whole ones, where one endpoint has each as a whole", () =>
    Effect.gen(function* () {
      const [cluster, backup] = [yield* standInCluster(blocks), yield* standInCluster(blocks)]
      const cutAt = (node: StandInCluster, one: RawTransaction, random: SeededRandom) =>
        node.answered.set(signatureOf(one), CUTS[random.pick(ANSWERED_CUTS)](one))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        for (const seed of seeds(2, 30)) {
          yield* forget
          cluster.recover()
          backup.recover()
          const random = new SeededRandom(seed)
          for (const one of landed) if (random.chance(0.4)) cutAt(random.chance(0.5) ? cluster : backup, one, random)
          const bodies = landed.flatMap((one) => bodiesOf(one, random, random.chance(0.3)))
          const middle = Math.floor(bodies.length / 2)
          yield* receive([textOf(bodies.slice(0, middle))])
          if (random.chance(0.5)) yield* completeAll(fence)
          yield* receive([textOf(bodies.slice(middle))])
          assert.deepInclude(yield* roundAtLast(fence), { problem: null }, `seed ${seed}`)
          yield* completeAll(fence)
          assert.deepStrictEqual(yield* digest, whole, `seed ${seed}`)
          assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
          assert.deepStrictEqual(yield* poisonLeft, [])
          assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0 })
        }
      }).pipe(Effect.provide(reconciledIndex(cluster, backup)))
    }),
  )
})
