import type { CreateRequest } from "@launch-registry/client"
import type { Wallet } from "../wallet/Wallet.ts"
import { configOf, issuesOfFigures, termsOf } from "./CurveFigures.ts"
import type { Draft } from "./Draft.ts"
import type { Issues } from "./Issues.ts"
import { lamportsOf } from "./SolAmount.ts"

const encoded = (text: string): number => new TextEncoder().encode(text).length

/** What the registry would refuse of the details; the limits are those of the Token Metadata program. */
export const issuesOfDraft = ({ details, figures, firstBuy }: Draft): Issues => {
  const issues: Record<string, string> = { ...issuesOfFigures(figures) }
  const bounded = (field: "name" | "symbol", most: number): void => {
    const length = encoded(details[field].trim())
    if (length === 0) issues[field] = `Your token needs a ${field}`
    if (length > most) issues[field] = `At most ${most} bytes in UTF-8, not ${length}`
  }
  bounded("name", 32)
  bounded("symbol", 10)
  const lamports = lamportsOf(firstBuy)
  if (firstBuy.trim() !== "" && (lamports === undefined || lamports === 0n))
    issues["firstBuy"] = "An amount of SOL above 0, such as 0.5, with at most nine digits after the point"
  return issues
}

export type Signing = Pick<Wallet, "address" | "transactionVersion">

/** The body of `POST /api/launch/create` for a draft; `undefined` while figures of its curve are wrong. */
export const createRequestOf = (
  draft: Draft,
  metadata: CreateRequest["metadata"],
  { address: signer, transactionVersion }: Signing,
): CreateRequest | undefined => {
  const { config, figures, firstBuy, poolMetadata, priority } = draft
  const [amount, terms] = [lamportsOf(firstBuy), termsOf(figures)]
  if (terms === undefined) return undefined
  const isThere = config?.signer === signer && JSON.stringify(config.figures) === JSON.stringify(figures)
  return {
    ...{ signer, metadata, transactionVersion },
    ...(isThere ? { config: config.address } : configOf(terms)),
    ...(amount !== undefined && amount > 0n && { firstBuy: { amount: String(amount) } }),
    ...(priority !== "default" && { priorityFee: priority }),
    ...(poolMetadata && { poolMetadata }),
  }
}
