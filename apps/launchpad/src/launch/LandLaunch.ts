import { land, RegistryError } from "@launch-registry/client"
import { registry } from "../registry/Connection.ts"
import { signatureOf } from "../wallet/SignTransaction.ts"
import type { Wallet } from "../wallet/Wallet.ts"
import { type Build, type BuiltStep, hasLanded } from "./Draft.ts"

/** How far the transactions of a launch came. */
export type Landing =
  | { readonly outcome: "landed" }
  /** The next one waits for the signature of the wallet. */
  | { readonly outcome: "unsigned" }
  /** The same, on a blockhash that has aged: it is to be built again before the wallet signs it. */
  | { readonly outcome: "old" }
  /** One landed and failed, or cannot land any more; those after it were not signed. So it is safe to build again. */
  | { readonly outcome: "over"; readonly why: string }
  /** Nothing is known for now: try again. */
  | { readonly outcome: "unknown"; readonly failure: RegistryError }

/** Notes what became known of a step; stored before it returns. */
type Note = (index: number, known: Partial<BuiltStep>) => void

const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes))

/** Whether `create` builds it again: what follows the pool alone is not built again. */
const isBuiltAgain = ({ purposes }: BuiltStep): boolean => purposes.includes("config") || purposes.includes("pool")

/** Why a transaction cannot land any more; `undefined` where it may. */
const whyOver = (answer: Exclude<Awaited<ReturnType<typeof land>>, { readonly success: true }>): string | undefined => {
  const ended = answer.submissions.at(-1)
  if (ended?.state === "expired") return "The transaction did not land in time, and cannot any more"
  if (ended !== undefined) return `The transaction failed: ${answer.message}`
  if (answer.code === "transaction_expired") return "The transaction had expired when it was signed, and was not sent"
  const { reason } = (answer.refusal as { readonly details?: { readonly reason?: string } } | undefined)?.details ?? {}
  return answer.code === "blockhash_not_valid" && reason !== "unknown" ? answer.message : undefined
}

/**
 * Lands the transactions of a build one after the other, from the first that has not landed. One that was signed is submitted again as it is:
 * it executes once, and the registry answers how far it is. `isFresh`: it was built just now, so that its first transaction can be signed.
 */
export const landLaunch = async (
  { lastValidBlockHeight, steps }: Build,
  wallet: Wallet | undefined,
  note: Note,
  isFresh: boolean,
): Promise<Landing> => {
  let isYoung = isFresh
  for (const [index, step] of steps.entries()) {
    if (hasLanded(step)) continue
    const { signature, transaction } = step
    if (signature === null && wallet === undefined) return { outcome: "unsigned" }
    if (signature === null && !isYoung && isBuiltAgain(step)) return { outcome: "old" }
    isYoung = false
    const answer = await land(
      registry,
      { transaction, lastValidBlockHeight },
      {
        onState: ({ state }) => note(index, { state }),
        sign: async (bytes) => {
          if (signature !== null) return bytes
          const signed = await wallet!.sign(bytes)
          // Before it is submitted: whatever happens then, it can be submitted again.
          note(index, { transaction: base64(signed), signature: signatureOf(signed), state: null })
          return signed
        },
      },
    )
    if (answer.success) continue
    const why = whyOver(answer)
    return why === undefined ? { outcome: "unknown", failure: new RegistryError(answer) } : { outcome: "over", why }
  }
  return { outcome: "landed" }
}
