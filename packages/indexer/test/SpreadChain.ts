import { generateChain } from "../fixtures/GenerateTransactions.ts"
import { SeededRandom } from "../fixtures/SeededRandom.ts"

/** When it begins, in seconds since 1970. */
export const START = 1_795_000_000

/** A chain of some days, whose slots are seconds, minutes or hours apart, so that each span has edges among them. */
export const spreadChain = (seed: number) => {
  const random = new SeededRandom(seed)
  const { blocks } = generateChain({ seed, slots: 150, transactionsPerSlot: 6, isLarge: false, firstBlockTime: START })
  let blockTime = START
  const transactions = blocks.flatMap((block) => {
    blockTime += random.pick([1, 2, 30, 200, 1_500, 10_000, 40_000])
    return block.transactions.map((transaction) => ({ ...transaction, blockTime }))
  })
  return { random, transactions, end: blockTime }
}
