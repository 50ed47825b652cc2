import { SLOT_MAX } from "@launch-registry/solana/Ordinal"

/** A transaction: where it stands in the chain. */
export interface TransactionKey {
  readonly slot: number
  readonly signature: string
}

const SIGNATURE = /^[1-9A-HJ-NP-Za-km-z]{64,88}$/
/** As far as ordinals reach with the slot after it; at the present pace, some 27 years from now. */
export const RECEIVED_SLOT_MAX = Number(SLOT_MAX) - 1

export const hasSignatureForm = (text: string): boolean => SIGNATURE.test(text)

/** Slot and first signature of a transaction, or the reason why it has none. */
export const keyOf = (element: unknown): TransactionKey | string => {
  if (typeof element !== "object" || element === null) return "no transaction"
  const { slot, transaction } = element as { readonly slot?: unknown; readonly transaction?: unknown }
  if (typeof slot !== "number" || !Number.isInteger(slot) || slot < 0 || slot > RECEIVED_SLOT_MAX) return "no slot"
  const signatures = (transaction as { readonly signatures?: unknown } | null | undefined)?.signatures
  const signature: unknown = Array.isArray(signatures) ? signatures[0] : undefined
  return typeof signature === "string" && hasSignatureForm(signature) ? { slot, signature } : "no signature"
}
