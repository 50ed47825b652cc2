import { generateChain } from "../../fixtures/GenerateTransactions.ts"

export const FIRST = 300_000_000
/** Ten seconds before it, the chain begins: it has minutes of two hours. */
const HOUR = 1_795_003_200

/** 40 slots in two hours. */
export const { blocks } = generateChain({
  ...{ seed: 23, slots: 40, transactionsPerSlot: 6, isLarge: false, firstSlot: FIRST, firstBlockTime: HOUR - 10 },
})
