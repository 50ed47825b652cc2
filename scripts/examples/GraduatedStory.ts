import { SEEDED_MINTS } from "../../packages/chain/src/localnet/SeedAccounts.ts"
import type { ExampleRecorder } from "./ExampleRecorder.ts"
import { SIGNER } from "./MarketStory.ts"

const MINT = SEEDED_MINTS.spl

/** The same token after its curve has migrated: swaps and reads go on in the DAMM v2 pool. */
export const graduatedStory = async (recorder: ExampleRecorder): Promise<void> => {
  const swap = { amount: "1000000000", swapBaseForQuote: false }
  await recorder.ask("launch.poolState", {
    ...{ name: "migrated", summary: "A pool whose curve has migrated to DAMM v2", path: { mintAddress: MINT } },
  })
  await recorder.ask("launch.quote", {
    ...{ name: "migrated", summary: "Buy for 1 SOL after the migration, in the DAMM v2 pool" },
    body: { mintAddress: MINT, ...swap },
  })
  await recorder.ask("launch.swap", {
    ...{ name: "migrated", summary: "Buy for 1 SOL after the migration; the wallet is empty, as simulation shows" },
    body: { baseMint: MINT, ...swap, signer: SIGNER, slippageBps: 100 },
  })
}
