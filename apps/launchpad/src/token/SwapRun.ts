import { land, type QuoteRequest, type Sign, type Submission } from "@launch-registry/client"
import { registry } from "../registry/Connection.ts"
import { refusalText, withoutUnits } from "./SwapWords.ts"

/** Where a swap is. */
export type SwapState =
  | { readonly step: "building" }
  | { readonly step: "signing" }
  | { readonly step: "landing"; readonly submission: Submission | undefined }
  /** Confirmed, and finalized in the end. */
  | { readonly step: "landed"; readonly submission: Submission }
  /** Nothing was sent, or it failed for good. */
  | { readonly step: "failed"; readonly reasons: ReadonlyArray<string>; readonly signature?: string }
  /** It may land yet. */
  | { readonly step: "unknown"; readonly reason: string; readonly signature: string | undefined }

export interface SwapOrder {
  readonly asked: QuoteRequest
  /** What was shown as the least that is received, in smallest units. */
  readonly minimumShown: string
  /** By which problems call the token. */
  readonly symbol: string
  readonly signer: string
  readonly sign: Sign
}

const FINAL_CODES = ["transaction_failed", "transaction_expired"]

/** Builds, has signed and lands a swap, and says each step until it is finalized. What the wallet lacks is said before it signs. */
export const runSwap = async (
  { asked, minimumShown, sign, signer, symbol }: SwapOrder,
  show: (state: SwapState) => void,
  signal: AbortSignal,
): Promise<void> => {
  show({ step: "building" })
  const { mintAddress: baseMint, ...swap } = asked
  const built = await registry.launch.swap({ body: { ...swap, baseMint, signer } }, { signal })
  if (!built.success) return show({ step: "failed", reasons: [refusalText(built)] })
  const { quote, simulation } = built.data
  if (!simulation.willSucceed) {
    const reasons = simulation.problems.map(({ message }) => withoutUnits(message.replaceAll(`of ${baseMint}`, symbol)))
    return show({ step: "failed", reasons })
  }
  if (BigInt(quote.minimumAmountOut) < BigInt(minimumShown))
    return show({
      step: "failed",
      reasons: ["The price moved against you since the quote. Nothing was signed: look at the new one."],
    })
  let isSigned = false
  let last: Submission | undefined
  try {
    const landed = await land(registry, built.data, {
      commitment: "finalized",
      sign: async (bytes) => {
        show({ step: "signing" })
        const signed = await sign(bytes)
        isSigned = true
        show({ step: "landing", submission: undefined })
        return signed
      },
      onState: (submission) => {
        last = submission
        const isThere = submission.state === "confirmed" || submission.state === "finalized"
        show({ step: isThere ? "landed" : "landing", submission })
      },
      signal,
    })
    if (landed.success) return
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
    if (signal.aborted || isSigned) throw error
    show({ step: "failed", reasons: [`The wallet did not sign: ${error instanceof Error ? error.message : error}`] })
  }
}
