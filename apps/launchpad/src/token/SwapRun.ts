import { land, type QuoteRequest, type Sign, type Submission, type SwapRequest } from "@launch-registry/client"
import { registry } from "../registry/Connection.ts"
import { problemText, refusalText } from "./SwapWords.ts"

/** Where a swap is. */
export interface SwapState {
  /** `failed`: nothing was sent, or it failed for good; `unknown`: it may land yet. */
  readonly step: "building" | "signing" | "sending" | Exclude<Submission["state"], "expired"> | "unknown"
  readonly signature?: string | undefined
  /** Why it failed, or is not known. */
  readonly reasons?: ReadonlyArray<string>
}

export interface SwapOrder {
  readonly asked: QuoteRequest
  readonly fee: Pick<SwapRequest, "priorityFee">
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
  { asked, fee, minimumShown, sign, signer, symbol }: SwapOrder,
  show: (state: SwapState) => void,
  signal: AbortSignal,
): Promise<void> => {
  const fail = (...reasons: ReadonlyArray<string>) => show({ step: "failed", signature, reasons })
  let signature: string | undefined
  show({ step: "building" })
  const { mintAddress: baseMint, ...swap } = asked
  const built = await registry.launch.swap({ body: { ...swap, baseMint, signer, ...fee } }, { signal })
  if (!built.success) return fail(refusalText(built))
  const { quote, simulation } = built.data
  if (!simulation.willSucceed)
    return fail(...simulation.problems.map(({ message }) => problemText(message, baseMint, symbol)))
  if (BigInt(quote.minimumAmountOut) < BigInt(minimumShown))
    return fail("The price moved against you since the quote. Nothing was signed: look at the new one.")
  let isSigned = false
  try {
    const landed = await land(registry, built.data, {
      commitment: "finalized",
      sign: async (bytes) => {
        show({ step: "signing" })
        const signed = await sign(bytes)
        isSigned = true
        show({ step: "sending" })
        return signed
      },
      onState: (submission) => {
        signature = submission.signature
        if (submission.state !== "failed" && submission.state !== "expired") show({ step: submission.state, signature })
      },
      signal,
    })
    if (landed.success) return
    const wasSent = signature !== undefined
    signature = landed.submissions.at(-1)?.signature ?? signature
    if (!FINAL_CODES.includes(landed.code) && (wasSent || landed.status === 0))
      return show({ step: "unknown", reasons: [refusalText(landed)], signature })
    fail(
      landed.code !== "transaction_expired"
        ? refusalText(landed)
        : wasSent
          ? "It did not land, and cannot any more. Nothing was spent: swap again."
          : "The wallet signed after the transaction had expired, so it was not sent. Nothing was spent: swap again, and sign at once.",
    )
  } catch (error) {
    if (signal.aborted || isSigned) throw error
    fail(`The wallet did not sign: ${error instanceof Error ? error.message : error}`)
  }
}
