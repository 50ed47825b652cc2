import { land, type Sign, type Submission } from "@launch-registry/client"
import { registry } from "../Registry.ts"
import type { QuoteAsked } from "./Quote.ts"
import { refusalText } from "./SwapWords.ts"

/** Where a swap is. */
export type SwapState =
  | { readonly step: "building" }
  | { readonly step: "signing" }
  | { readonly step: "landing"; readonly submission: Submission | undefined }
  | { readonly step: "landed"; readonly submission: Submission | undefined }
  /** Nothing was sent, or it failed for good. */
  | { readonly step: "failed"; readonly reasons: ReadonlyArray<string>; readonly signature?: string }
  /** It may land yet. */
  | { readonly step: "unknown"; readonly reason: string; readonly signature: string | undefined }

export interface SwapOrder {
  readonly asked: QuoteAsked
  /** `none`, `low`, `medium` or `high`; the service's own without one. */
  readonly priorityFee: string | undefined
  /** What was shown as the least that is received, in smallest units. */
  readonly minimumShown: string
  readonly signer: string
  readonly sign: Sign
}

const FINAL_CODES = ["transaction_failed", "transaction_expired"]

/** Builds, has signed and lands a swap, and says each step. What the wallet lacks is said before it signs. */
export const runSwap = async (
  { asked, minimumShown, priorityFee, sign, signer }: SwapOrder,
  show: (state: SwapState) => void,
  signal: AbortSignal,
): Promise<void> => {
  show({ step: "building" })
  const fee = priorityFee === undefined ? {} : { priorityFee }
  const { mintAddress: baseMint, ...swap } = asked
  const built = await registry.launch.swap({ body: { ...swap, ...fee, baseMint, signer } }, { signal })
  if (!built.success) return show({ step: "failed", reasons: [refusalText(built)] })
  const { quote, simulation } = built.data
  if (!simulation.willSucceed)
    return show({ step: "failed", reasons: simulation.problems.map(({ message }) => message) })
  if (BigInt(quote.minimumAmountOut) < BigInt(minimumShown))
    return show({
      step: "failed",
      reasons: ["The price moved against you since the quote. Nothing was signed: look at the new one."],
    })
  let isSigned = false
  let last: Submission | undefined
  try {
    const landed = await land(registry, built.data, {
      sign: async (bytes) => {
        show({ step: "signing" })
        const signed = await sign(bytes)
        isSigned = true
        show({ step: "landing", submission: undefined })
        return signed
      },
      onState: (submission) => {
        last = submission
        show({ step: "landing", submission })
      },
      signal,
    })
    if (landed.success) return show({ step: "landed", submission: landed.submissions.at(-1) })
    const signature = landed.submissions.at(-1)?.signature ?? last?.signature
    const isUnknown = !FINAL_CODES.includes(landed.code) && (last !== undefined || landed.status === 0)
    if (isUnknown) return show({ step: "unknown", reason: refusalText(landed), signature })
    const reason =
      landed.code !== "transaction_expired"
        ? refusalText(landed)
        : last === undefined
          ? "The wallet signed after the transaction had expired, so it was not sent. Nothing was spent: swap again, and sign at once."
          : "It did not land, and cannot any more. Nothing was spent: swap again."
    show({ step: "failed", reasons: [reason], ...(signature !== undefined && { signature }) })
  } catch (error) {
    if (signal.aborted) throw error
    if (isSigned) throw error
    show({ step: "failed", reasons: [`The wallet did not sign: ${error instanceof Error ? error.message : error}`] })
  }
}

/** Looks again at a swap that may have landed. */
export const lookAgain = async (
  signature: string,
  show: (state: SwapState) => void,
  signal: AbortSignal,
): Promise<void> => {
  const answer = await registry.launch.submission({ signature }, { signal })
  if (!answer.success) return show({ step: "unknown", reason: refusalText(answer), signature })
  const { data: submission } = answer
  if (submission.state === "failed" || submission.state === "expired")
    return show({ step: "failed", reasons: [submission.error?.message ?? `It ${submission.state}`], signature })
  const isThere = submission.state === "confirmed" || submission.state === "finalized"
  if (isThere) return show({ step: "landed", submission })
  show({ step: "unknown", reason: `It is ${submission.state}: the service goes on sending it.`, signature })
}
