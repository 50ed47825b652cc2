import { land, type Refusal, RegistryError, type Submission } from "@launch-registry/client"
import { registry } from "../registry/Connection.ts"
import { signatureOf } from "../wallet/SignTransaction.ts"
import type { Wallet } from "../wallet/Wallet.ts"
import { type Build, type BuiltStep, hasLanded } from "./Draft.ts"

const POLL_MILLIS = 1_000
const TOO_LATE = "The wallet signed after the transaction had expired, so it was not sent"

/** How far the transactions of a launch came. */
export type Landing =
  | { readonly outcome: "landed" }
  /** The next one waits for the signature of the wallet. */
  | { readonly outcome: "unsigned" }
  /** The same, on a blockhash that has aged: it is to be built again before the wallet signs it. */
  | { readonly outcome: "old" }
  /** One landed and failed, or cannot land any more; those after it were not signed. So it is safe to build again. */
  | { readonly outcome: "over"; readonly why: string; readonly isTooLate?: boolean }
  /** Nothing is known for now: try again. */
  | { readonly outcome: "unknown"; readonly failure: RegistryError }

/** Notes what became known of a step; stored before it returns. */
type Note = (index: number, known: Partial<Pick<BuiltStep, "signature" | "state">>) => void

const overBecause = ({ error, signature, state }: Submission): Landing => ({
  outcome: "over",
  why:
    state === "expired"
      ? `Transaction ${signature} did not land in time, and cannot any more`
      : `Transaction ${signature} failed: ${error?.message ?? "its program refused it"}`,
})

/** Waits for a submission that may be there from before; `undefined` where the registry never got it. */
const followed = async (
  signature: string,
  onState: (state: string) => void,
): Promise<Exclude<Landing, { readonly outcome: "unsigned" }> | undefined> => {
  for (;;) {
    const answer = await registry.launch.submission({ signature })
    if (!answer.success) {
      if (answer.code === "not_found") return undefined
      return { outcome: "unknown", failure: new RegistryError(answer) }
    }
    const { isFinal, state } = answer.data
    onState(state)
    if (state === "confirmed" || state === "finalized") return { outcome: "landed" }
    if (isFinal) return overBecause(answer.data) as Extract<Landing, { readonly outcome: "over" }>
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLIS))
  }
}

/** Whether a refusal of a submission says that these bytes can never land. */
const isOver = (refusal: Refusal & { readonly details?: { readonly reason?: string } }): boolean =>
  refusal.code === "blockhash_not_valid" && refusal.details?.reason !== "unknown"

/** Whether `create` builds it again: what follows the pool alone is not built again. */
const isBuiltAgain = ({ purposes, signature }: BuiltStep): boolean =>
  signature === null && (purposes.includes("config") || purposes.includes("pool"))

/**
 * Lands the transactions of a build one after the other, from the first that has not landed. One that was signed is asked for by its
 * signature. Where the registry never got it, the wallet signs the same bytes again: that is the same transaction, which executes once.
 * `isFresh`: it was built just now, so that its first transaction can be signed.
 */
export const landLaunch = async (
  build: Build,
  wallet: Wallet | undefined,
  note: Note,
  isFresh: boolean,
): Promise<Landing> => {
  let isYoung = isFresh
  const { lastValidBlockHeight } = build
  for (const [index, step] of build.steps.entries()) {
    if (hasLanded(step)) continue
    const noteState = (state: string): void => note(index, { state })
    const known = step.signature === null ? undefined : await followed(step.signature, noteState)
    if (known?.outcome === "landed") continue
    if (known !== undefined) return known
    if (wallet === undefined) return { outcome: "unsigned" }
    if (!isYoung && isBuiltAgain(step)) return { outcome: "old" }
    isYoung = false
    const answer = await land(
      registry,
      { transaction: step.transaction, lastValidBlockHeight },
      {
        pollMillis: POLL_MILLIS,
        onState: ({ state }) => noteState(state),
        sign: async (bytes) => {
          const signed = await wallet.sign(bytes)
          // Before it is submitted: whatever happens then, it can be asked for.
          note(index, { signature: signatureOf(signed), state: null })
          return signed
        },
      },
    )
    if (answer.success) continue
    const ended = answer.submissions.at(-1)
    if (ended !== undefined) return overBecause(ended)
    if (answer.code === "transaction_expired") return { outcome: "over", why: TOO_LATE, isTooLate: true }
    if (isOver(answer.refusal ?? answer)) return { outcome: "over", why: answer.message }
    return { outcome: "unknown", failure: new RegistryError(answer) }
  }
  return { outcome: "landed" }
}
