import { RegistryError } from "@launch-registry/client"
import { registry } from "../registry/Connection.ts"
import type { Build } from "./Draft.ts"
import { issuesOf } from "./Issues.ts"
import { createRequestOf, issuesOfDraft, type Signing } from "./LaunchRequest.ts"
import { type Costs, changeDraft, launchShown, show } from "./LaunchStore.ts"
import { solOf } from "./SolAmount.ts"
import { sentDetails, storeMetadata } from "./Uploads.ts"

/**
 * Builds the launch of the draft for a wallet. Shows what is wrong where it cannot be built, or could not land. The key of a new configuration,
 * which the answer has, has signed already and is dropped here.
 */
export const buildLaunch = async (
  wallet: Signing,
): Promise<{ readonly build: Build; readonly costs: Costs } | undefined> => {
  const issues = issuesOfDraft(launchShown().draft)
  show({ issues, failure: undefined, notice: undefined })
  if (Object.keys(issues).length > 0) return undefined
  const uri = await storeMetadata()
  if (uri === undefined) return undefined
  show({ activity: "Building the transactions" })
  const { draft } = launchShown()
  const answer = await registry.launch.create({ body: createRequestOf(draft, { ...sentDetails(), uri }, wallet)! })
  if (answer.success) {
    const { config, cost, lastValidBlockHeight, message, mintAddress, missingPrograms, quote, transactions } =
      answer.data
    if (missingPrograms === undefined) {
      const unsigned = { signature: null, state: null }
      const steps = transactions.map(({ purposes, transaction }) => ({ purposes, transaction, ...unsigned }))
      const signer = wallet.address
      return {
        build: { signer, config, mintAddress, lastValidBlockHeight, steps },
        costs: { signer, cost, wallet: answer.data.wallet, ...(quote !== undefined && { quote }) },
      }
    }
    show({ failure: new RegistryError({ success: false, code: "not_configured", message }) })
    return undefined
  }
  // A fork took it back: the next build makes another one.
  if (answer.code === "not_found") changeDraft({ config: null })
  const named = issuesOf(answer)
  if (answer.code === "insufficient_funds")
    show({ notice: `Put ${solOf(answer.details.shortfall)} SOL more into the wallet, and launch again` })
  else show(named === undefined ? { failure: new RegistryError(answer) } : { issues: named })
  return undefined
}
