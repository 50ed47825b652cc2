import type { CreateRequest } from "@launch-registry/client"
import { Failure, failureOfRefusal } from "../Failure.ts"
import { registry } from "../Registry.ts"
import { configOf } from "./CurvePresets.ts"
import type { Build, Draft } from "./Draft.ts"
import { type Issues, issuesOf } from "./Issues.ts"
import { type Costs, changeDraft, launchShown, show } from "./LaunchStore.ts"
import { chosenTerms, curveKey, issuesOfFigures } from "./OwnCurve.ts"
import { lamportsOf } from "./SolAmount.ts"
import { sentDetails, storeMetadata } from "./Uploads.ts"

const encoded = (text: string): number => new TextEncoder().encode(text).length

/** What the service would refuse of the details; the limits are those of the Token Metadata program. */
export const issuesOfDraft = ({
  curve,
  details,
  firstBuy,
  own,
}: Pick<Draft, "curve" | "details" | "firstBuy" | "own">): Issues => {
  const issues: Record<string, string> = curve === "own" ? { ...issuesOfFigures(own) } : {}
  const bounded = (field: "name" | "symbol", most: number): void => {
    const length = encoded(details[field].trim())
    if (length === 0) issues[field] = "expected a text"
    if (length > most) issues[field] = `expected at most ${most} bytes in UTF-8, not ${length}`
  }
  bounded("name", 32)
  bounded("symbol", 10)
  const lamports = lamportsOf(firstBuy)
  if (firstBuy.trim() !== "" && (lamports === undefined || lamports === 0n))
    issues.firstBuy = "expected an amount of SOL above 0, such as 0.5, with at most nine digits after the point"
  return issues
}

/** The body of `POST /api/launch/create` for a draft. */
export const createRequestOf = (
  draft: Draft,
  details: ReturnType<typeof sentDetails>,
  { metadataUri, signer }: { readonly signer: string; readonly metadataUri: string },
): CreateRequest => {
  const { config, firstBuy, poolMetadata, priority } = draft
  const amount = lamportsOf(firstBuy)
  const isThere = config !== null && config.signer === signer && config.curve === curveKey(draft)
  return {
    ...{ signer, metadata: { ...details, uri: metadataUri } },
    ...(isThere ? { config: config.address } : configOf(chosenTerms(draft)!)),
    ...(poolMetadata && { poolMetadata }),
    ...(amount !== undefined && { firstBuy: { amount: String(amount) } }),
    ...(priority !== "default" && { priorityFee: priority }),
  }
}

/** A launch that is ready to be signed, and what it costs. */
export interface ReadyLaunch {
  readonly build: Build
  readonly costs: Costs
}

/**
 * Builds the launch of the draft for a wallet. Shows what is wrong where it cannot be built, or could not land. The key of a new configuration, which
 * the answer has, has signed already and is dropped here.
 */
export const buildLaunch = async (signer: string): Promise<ReadyLaunch | undefined> => {
  const { draft } = launchShown()
  const issues = issuesOfDraft(draft)
  show({ issues, failure: undefined, lacking: undefined, notice: undefined })
  if (Object.keys(issues).length > 0) return undefined
  const metadataUri = await storeMetadata()
  if (metadataUri === undefined) return undefined
  show({ activity: "building" })
  const answer = await registry.launch.create({ body: createRequestOf(draft, sentDetails(), { signer, metadataUri }) })
  if (answer.success) {
    const { mintAddress, config, cost, lastValidBlockHeight, quote, transactions, wallet } = answer.data
    if (answer.data.missingPrograms !== undefined) {
      show({ failure: new Failure(503, "not_configured", answer.data.message) })
      return undefined
    }
    const steps = transactions.map(({ purposes, transaction }) => ({
      ...{ purposes, transaction, signature: null, state: null },
    }))
    return {
      build: { signer, config, mintAddress, lastValidBlockHeight, steps },
      costs: { signer, cost, wallet, ...(quote !== undefined && { quote }) },
    }
  }
  // A fork took it back: the next build makes another one.
  if (answer.code === "not_found") changeDraft({ config: null })
  if (answer.code === "insufficient_funds") show({ lacking: answer.details, costs: undefined })
  else {
    const named = issuesOf(answer, draft.curve === "own")
    show(named === undefined ? { failure: failureOfRefusal(answer) } : { issues: named })
  }
  return undefined
}
