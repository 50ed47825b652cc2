import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { type ExtraAccounts, isFreeAddress } from "../accounts/AccountReads.ts"
import type { ClaimableFee } from "./ClaimableFees.ts"
import type { ClaimTargets } from "./ClaimInstructions.ts"
import { accountsOf, type ClaimAccountName } from "./ClaimSteps.ts"
import type { CurveSnapshot } from "../dbc/CurveSnapshot.ts"
import { hasTransferHook } from "../dbc/PoolAccount.ts"
import { NATIVE_MINT } from "../accounts/Programs.ts"
import { tokenAccountFault } from "../accounts/TokenAccountChecks.ts"

/** Why a wallet cannot claim these fees, by the state of the accounts that they go to. */
export const claimIssues = (
  curve: CurveSnapshot,
  fees: ReadonlyArray<ClaimableFee>,
  to: ClaimTargets,
  accounts: ExtraAccounts<"wallet" | ClaimAccountName>,
): ReadonlyArray<InvalidIssue> => {
  if (hasTransferHook(curve.poolBytes))
    return [
      { path: "body.mintAddress", message: "expected a token without a transfer hook: claims of such are not built" },
    ]
  const path = "body.walletAddress"
  if (!isFreeAddress(accounts.wallet))
    return [{ path, message: "expected a wallet: this account belongs to a program" }]
  const { base, config, quote } = curve
  return accountsOf(fees, to).flatMap((name) => {
    const isLeftover = name === "leftoverAccount"
    const token = name === "quoteAccount" ? quote : base
    const owner = isLeftover ? config.leftoverReceiver : to.wallet
    const closes = name === "quoteAccount" && quote.mint === NATIVE_MINT
    const fault = tokenAccountFault(accounts[name], { ...token, owner, receives: true, closes })
    if (fault === undefined) return []
    const message = isLeftover
      ? `expected a leftover that ${owner} can receive: ${fault.message}`
      : `expected a wallet that can receive: ${fault.message}`
    return [{ path: isLeftover ? "body.claims" : path, message }]
  })
}
