import { SEEDED_POOLS } from "../../packages/chain/src/localnet/SeedAccounts.ts"
import type { ExampleRecorder } from "./ExampleRecorder.ts"
import { LAUNCHER } from "./MarketStory.ts"

const { baseMint, creator } = SEEDED_POOLS[0]!

/** What creator and partner have earned, and the transactions to claim it. */
export const earnStory = async (recorder: ExampleRecorder): Promise<void> => {
  await recorder.ask("launch.poolFees", {
    ...{ name: "onCurve", summary: "A pool that trades on its curve", path: { mintAddress: baseMint } },
  })
  await recorder.ask("launch.claim", {
    ...{ name: "creator", summary: "Everything that the creator can claim" },
    body: { walletAddress: creator, mintAddress: baseMint },
  })
  await recorder.ask("launch.claim", {
    ...{ name: "notYours", summary: "Fees of somebody else", status: 409 },
    body: { walletAddress: LAUNCHER, mintAddress: baseMint, claims: ["trading_fee"] },
  })
  await recorder.ask("launch.claim", {
    ...{ name: "tooEarly", summary: "Before the curve is complete", status: 409 },
    body: { walletAddress: creator, mintAddress: baseMint, claims: ["migration_fee"] },
  })
  await recorder.ask("launch.transferCreator", {
    ...{ name: "handedOver", summary: "The creator names another one" },
    body: { walletAddress: creator, mintAddress: baseMint, newCreator: LAUNCHER },
  })
  await recorder.ask("launch.transferCreator", {
    ...{ name: "notYours", summary: "The pool of somebody else", status: 409 },
    body: { walletAddress: LAUNCHER, mintAddress: baseMint, newCreator: LAUNCHER },
  })
  await recorder.ask("launch.claims", {
    ...{ name: "ofPool", summary: "The claims of a pool, both parties'", query: { mintAddress: baseMint } },
  })
  await recorder.ask("launch.liquidityChanges", {
    ...{ name: "unchanged", summary: "Nothing was added or withdrawn", path: { mintAddress: baseMint } },
  })
  await recorder.ask("launch.creator", {
    ...{ name: "launched", summary: "A creator with a launch", path: { address: creator } },
  })
}
