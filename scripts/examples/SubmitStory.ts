import { localWallet } from "../../packages/chain/test/submissions/LocalWallet.ts"
import type { ExampleRecorder } from "./ExampleRecorder.ts"

const LOOK_MILLIS = 100
const UNKNOWN = "5".repeat(87)

/** A transaction that lands, and those that are refused. */
export const submitStory = async (recorder: ExampleRecorder, chainUrl: string): Promise<void> => {
  const wallet = await localWallet(chainUrl)
  const { lastValidBlockHeight, signature, transaction } = await wallet.signTransfer(1_000_000n)
  await recorder.ask("launch.submit", {
    ...{ name: "transfer", summary: "A transfer that the wallet has signed", status: 202 },
    body: { transaction, lastValidBlockHeight },
  })
  await recorder.ask("launch.submit", {
    ...{ name: "unsigned", summary: "A transaction as a builder answers it", status: 400 },
    body: { transaction: await wallet.unsignedTransfer(2_000_000n) },
  })
  await recorder.ask("launch.submit", {
    ...{ name: "wouldFail", summary: "More than the wallet holds", status: 409 },
    body: { transaction: (await wallet.signTransfer(900_000_000_000n)).transaction },
  })
  while (!(await recorder.read(`/api/launch/submissions/${signature}`)).data.isFinal)
    await new Promise((resolve) => setTimeout(resolve, LOOK_MILLIS))
  await recorder.ask("launch.submission", {
    ...{ name: "landed", summary: "It landed, and its block is final", path: { signature } },
  })
  await recorder.ask("launch.submission", {
    ...{
      name: "unknown",
      summary: "Nothing with this signature was submitted",
      path: { signature: UNKNOWN },
      status: 404,
    },
  })
}
