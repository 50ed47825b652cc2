import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { RawAccount } from "../accounts/AccountReads.ts"
import { type ConfigAccount, decodeConfig } from "../dbc/ConfigAccount.ts"
import type { ConfigFacts, CreatedConfig } from "./ConfigStep.ts"
import type { LaunchTerms } from "@launch-registry/domain/pools/Schedules"
import { termsOf } from "./LaunchTerms.ts"
import type { StartingCurve } from "./FirstBuy.ts"

/** A configuration that a pool is created with: one on chain, or one that is created before. */
export interface LaunchConfigSource extends ConfigFacts {
  readonly address: string
  readonly feeClaimer: string
  readonly leftoverReceiver: string
  readonly start: StartingCurve
  /** What lands of the schedules that were asked for. */
  readonly terms: LaunchTerms
}

/** `ConfigWithTransferHook` (DBC IDL 0.2.1). */
const HOOK_CONFIG = "28dcc2fb29c77bfd"
const RATE_LIMITER = 2
const DAMM_V1 = 0
/** Higher options keep the mint authority. */
const UPDATE_AUTHORITY_MAX = 2

/** Why the program creates no pool with this configuration (0.2.1), or this service none. */
const existingIssues = (config: ConfigAccount, bytes: Uint8Array): ReadonlyArray<InvalidIssue> => {
  const reasons = [
    Buffer.from(bytes.subarray(0, 8)).toString("hex") === HOOK_CONFIG ? "without a transfer hook" : undefined,
    config.migrationOption === DAMM_V1 ? "that migrates to DAMM v2" : undefined,
    config.baseFeeMode === RATE_LIMITER ? "without a rate limiter" : undefined,
    config.tokenUpdateAuthority > UPDATE_AUTHORITY_MAX ? "that keeps no mint authority" : undefined,
  ]
  return reasons
    .filter((reason) => reason !== undefined)
    .map((reason) => ({ path: "body.config", message: `expected a configuration ${reason}` }))
}

/** A configuration on chain, with what is wrong with it. `account` holds one: it was read before. */
export const existingSource = (
  address: string,
  account: RawAccount,
): { readonly source: LaunchConfigSource; readonly issues: ReadonlyArray<InvalidIssue> } | undefined => {
  const config = decodeConfig(account.data)
  if (config === undefined) return undefined
  const { collectFeeMode, enableFirstSwapWithMinFee, sqrtStartPrice } = config
  return {
    source: {
      ...{ ...config, address },
      start: { curve: account.data, sqrtStartPrice, collectFeeMode, enableFirstSwapWithMinFee },
      terms: termsOf(config),
    },
    issues: existingIssues(config, account.data),
  }
}

/** A configuration that is created before the pool. */
export const createdSource = (created: CreatedConfig): LaunchConfigSource => {
  const { configAddress, fees, parameters, poolCreationFee, quoteMint, terms, tokenDecimal, tokenType } = created
  return {
    ...{ address: configAddress, quoteMint, tokenType, tokenDecimal, poolCreationFee },
    ...{ feeClaimer: fees.feeClaimer, leftoverReceiver: fees.leftoverReceiver, terms },
    start: {
      curve: parameters,
      sqrtStartPrice: BigInt(parameters.sqrtStartPrice),
      collectFeeMode: Number(parameters.collectFeeMode),
      enableFirstSwapWithMinFee: parameters.enableFirstSwapWithMinFee,
    },
  }
}
