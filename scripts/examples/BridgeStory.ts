import { setTimeout as sleep } from "node:timers/promises"
import type { IntentsStandIn } from "../../packages/bridge/test/IntentsStandIn.ts"
import type { StandInSwap } from "../../packages/bridge/test/IntentsTimeline.ts"
import { EVM_USER, SOL_USER, USDC_ON_ARB, USDC_ON_SOL } from "../../packages/bridge/test/TestBridge.ts"
import type { ExampleRecorder } from "./ExampleRecorder.ts"

const TRANSFER = "5VERv8NMvzbJMEkV8xnrLkEaWRtSz9CosKDYjCJjBRnbJLgp8uirBgmQpjKhoR4tjF3ZpRzrFmBV6UjKdiSZkQUW"
const PAUSE_MILLIS = 250
const DELIVERY = {
  hash: "delivery7UkJ5mP1XbYv3jQwVcn4YDxq2p7kq8YyqY8PzWz",
  explorerUrl: "https://explorer.test/tx/d",
}

/** Once the deposit is reported, each status request finds the next state. */
const stepsOf = ({ response: { quote } }: StandInSwap): StandInSwap["steps"] => {
  const paid = { depositedAmount: quote.amountIn }
  const amountOut = String(BigInt(String(quote.amountOut)) - 7n)
  const delivered = { ...paid, amountIn: quote.amountIn, amountOut, destinationChainTxHashes: [DELIVERY] }
  return [
    { status: "KNOWN_DEPOSIT_TX", swapDetails: paid, afterSubmit: true },
    { status: "PROCESSING", swapDetails: paid, afterSubmit: true, afterPolls: 1 },
    { status: "SUCCESS", swapDetails: delivered, afterSubmit: true, afterPolls: 2 },
  ]
}

/** Ten USDC from Solana to Arbitrum: quoted, paid, reported, delivered. */
export const bridgeStory = async (recorder: ExampleRecorder, standIn: IntentsStandIn, url: string): Promise<void> => {
  standIn.onQuote = (swap) => (swap.steps = stepsOf(swap))
  await recorder.ask("bridge.tokens", { name: "usdc", summary: "USDC on each chain", query: { search: "usdc" } })
  const body = {
    ...{ originAsset: USDC_ON_SOL, destinationAsset: USDC_ON_ARB, amount: "10000000" },
    ...{ recipient: EVM_USER, refundTo: SOL_USER },
  }
  await recorder.ask("bridge.quote", { name: "dry", summary: "A quote for 10 USDC from Solana to Arbitrum", body })
  const { data } = await recorder.ask("bridge.quote", {
    ...{ name: "swap", summary: "The same as a swap with a deposit address", body: { ...body, dry: false } },
  })
  await recorder.ask("bridge.quote", {
    ...{ name: "fraction", summary: "An amount that is not in smallest units", body: { ...body, amount: "10.5" } },
    status: 400,
  })
  const { depositAddress, id } = data
  await recorder.ask("bridge.deposit", {
    ...{ name: "transfer", summary: "The transfer that paid the swap", body: { depositAddress, txHash: TRANSFER } },
  })
  // The stand-in advances the swap with each status request.
  for (let status = "pending"; status === "pending"; await sleep(PAUSE_MILLIS)) {
    const answer = await fetch(`${url}/api/bridge/status/${depositAddress}`)
    status = ((await answer.json()) as { readonly data: { readonly status: string } }).data.status
  }
  await recorder.ask("bridge.status", {
    name: "delivered",
    summary: "A swap that has delivered",
    path: { depositAddress },
  })
  await recorder.ask("bridge.status", {
    ...{ name: "unknown", summary: "An address that no swap has", status: 404 },
    path: { depositAddress: "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" },
  })
  await recorder.ask("bridge.swaps", {
    ...{ name: "page", summary: "Swaps of one user", query: { userAddress: SOL_USER, limit: "1" } },
  })
  await recorder.ask("bridge.swap", { name: "delivered", summary: "With its timeline and evidence", path: { id } })
}
