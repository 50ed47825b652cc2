import type { Redacted } from "effect"
import type { Site } from "./SignedRequest.ts"

export const WRITE_AUTH_MODES = ["api-key", "wallet"] as const
export type WriteAuth = (typeof WRITE_AUTH_MODES)[number]

/** Which credentials are required. */
export interface AccessOptions {
  /** What authorizes writes; without any, writes are open. */
  readonly writeAuth: ReadonlyArray<WriteAuth>
  /** Keys of the settings, with the scope `admin`; two during a rotation. */
  readonly adminKeys: ReadonlyArray<Redacted.Redacted>
  /** Wallets that are admins. */
  readonly adminWallets: ReadonlyArray<string>
  /** What wallets sign requests for. */
  readonly site: Site
  /** Origins of other sites whose pages may write where writes are open. */
  readonly writingOrigins: ReadonlyArray<string> | "all"
  readonly auditDays: number
  /** How soon a new key works, and a revoked one does not; five seconds by default. */
  readonly keysFreshMillis?: number
}

/** How long the audit log has a write by default. */
export const AUDIT_DAYS = 365

/** No credentials: the open contract. */
export const OPEN_ACCESS: AccessOptions = {
  ...{ writeAuth: [], adminKeys: [], adminWallets: [], writingOrigins: [] },
  ...{ site: { domain: "", uri: "", chainId: "" }, auditDays: AUDIT_DAYS },
}
