import { type CreateRequest, RegistryError } from "@launch-registry/client"
import { registry } from "../registry/Connection.ts"
import type { Wallet } from "../wallet/Wallet.ts"
import { configOf, issuesOfFigures, termsOf } from "./CurveFigures.ts"
import type { Build, Draft } from "./Draft.ts"
import { type Issues, issuesOf } from "./Issues.ts"
import { type Costs, changeDraft, launchShown, show } from "./LaunchStore.ts"
import { lamportsOf, solOf } from "./SolAmount.ts"
import { sentDetails, storeMetadata } from "./Uploads.ts"

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

type Signing = Pick<Wallet, "address" | "transactionVersion">

/** The body of `POST /api/launch/create` for a draft; `undefined` while figures of its curve are wrong. */
export const createRequestOf = (
  draft: Draft,
  metadata: CreateRequest["metadata"],
  { address: signer, transactionVersion }: Signing,
): CreateRequest | undefined => {
  const { config, figures, firstBuy, priority } = draft
  const [amount, terms] = [lamportsOf(firstBuy), termsOf(figures)]
  if (terms === undefined) return undefined
  const isThere = config?.signer === signer && JSON.stringify(config.figures) === JSON.stringify(figures)
  return {
    ...{ signer, metadata, transactionVersion },
    ...(isThere ? { config: config.address } : configOf(terms)),
    ...(amount !== undefined && amount > 0n && { firstBuy: { amount: String(amount) } }),
    ...(priority !== "default" && { priorityFee: priority }),
  }
}

/** A launch that is ready to be signed, and what it costs. */
export interface ReadyLaunch {
  readonly build: Build
  readonly costs: Costs
}

/**
 * Builds the launch of the draft for a wallet. Shows what is wrong where it cannot be built, or could not land. The key of a new configuration,
 * which the answer has, has signed already and is dropped here.
 */
export const buildLaunch = async (wallet: Signing): Promise<ReadyLaunch | undefined> => {
  const issues = issuesOfDraft(launchShown().draft)
  show({ issues, failure: undefined, notice: undefined })
  if (Object.keys(issues).length > 0) return undefined
  const uri = await storeMetadata()
  if (uri === undefined) return undefined
  show({ activity: "building" })
  const { draft } = launchShown()
  const answer = await registry.launch.create({ body: createRequestOf(draft, { ...sentDetails(), uri }, wallet)! })
  const signer = wallet.address
  if (answer.success) {
    const { config, cost, lastValidBlockHeight, message, mintAddress, missingPrograms, quote, transactions } =
      answer.data
    if (missingPrograms !== undefined) {
      show({ failure: new RegistryError({ success: false, code: "not_configured", message }) })
      return undefined
    }
    const steps = transactions.map(({ purposes, transaction }) => ({
      purposes,
      transaction,
      signature: null,
      state: null,
    }))
    return {
      build: { signer, config, mintAddress, lastValidBlockHeight, steps },
      costs: { signer, cost, wallet: answer.data.wallet, ...(quote !== undefined && { quote }) },
    }
  }
  // A fork took it back: the next build makes another one.
  if (answer.code === "not_found") changeDraft({ config: null })
  if (answer.code === "insufficient_funds")
    show({ notice: `The wallet lacks ${solOf(answer.details.shortfall)} SOL: fill it, and launch again` })
  else {
    const named = issuesOf(answer)
    show(named === undefined ? { failure: new RegistryError(answer) } : { issues: named })
  }
  return undefined
}
