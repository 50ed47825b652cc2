import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { seeds } from "../../../../scripts/Laws.ts"
import { generateChain } from "../../fixtures/GenerateTransactions.ts"
import { isRebuildDue } from "../../src/replay/BeginRebuild.ts"
import { forget, lead, testIndex } from "../TestIndex.ts"
import { interleaved, outcome, receivedAtOnce } from "./InterleavedRebuild.ts"
import { rebuildProgress } from "./StoppedReplay.ts"

const { blocks } = generateChain({ seed: 23, slots: 40, transactionsPerSlot: 6, isLarge: false })

describe("A rebuild beside following", () => {
  it.live.each(seeds(3, 60))(
    "gives the tables of an index that did neither, however often it stops, whatever is received and reverted (%s)",
    (seed) =>
      Effect.gen(function* () {
        const fence = yield* lead
        const bodies = yield* interleaved(blocks, fence, seed)
        assert.isFalse(yield* isRebuildDue)
        assert.isUndefined(yield* rebuildProgress)
        const found = yield* outcome
        yield* forget
        const { dropped, ...wanted } = yield* receivedAtOnce(bodies, found.standing, fence)
        assert.isAbove(dropped, 0)
        assert.deepStrictEqual(found, wanted)
        assert.isAbove(found.letters.length, 0)
      }).pipe(Effect.provide(testIndex)),
  )
})
