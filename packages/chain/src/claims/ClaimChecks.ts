import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { type ExtraAccounts, isFreeAddress } from "../accounts/AccountReads.ts"
import type { ClaimableFee } from "./ClaimableFees.ts"
import { needsBaseAccount } from "./ClaimInstructions.ts"
import type { CurveSnapshot } from "../dbc/CurveSnapshot.ts"
import { hasTransferHook } from "../dbc/PoolAccount.ts"
import { NATIVE_MINT } from "../accounts/Programs.ts"
import { tokenAccountFault } from "../accounts/TokenAccountChecks.ts"

/** Why a wallet cannot claim these fees, by the state of its accounts. */
export const claimIssues = (
  curve: CurveSnapshot,
  fees: ReadonlyArray<ClaimableFee>,
  wallet: string,
  accounts: ExtraAccounts<"wallet" | "baseAccount" | "quoteAccount">,
): ReadonlyArray<InvalidIssue> => {
  if (hasTransferHook(curve.poolBytes))
    return [
      { path: "body.mintAddress", message: "expected a token without a transfer hook: claims of such are not built" },
    ]
  const path = "body.walletAddress"
  if (!isFreeAddress(accounts.wallet))
    return [{ path, message: "expected a wallet: this account belongs to a program" }]
  const { base, quote } = curve
  const received = { owner: wallet, receives: true }
  const faults = [
    tokenAccountFault(accounts.quoteAccount, { ...quote, ...received, closes: quote.mint === NATIVE_MINT }),
    fees.some(needsBaseAccount) ? tokenAccountFault(accounts.baseAccount, { ...base, ...received }) : undefined,
  ]
  return faults.flatMap((fault) =>
    fault === undefined ? [] : [{ path, message: `expected a wallet that can receive: ${fault.message}` }],
  )
}
