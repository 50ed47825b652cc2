import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { refuseIssues } from "../build/RefuseIssues.ts"
import { Effect, Redacted } from "effect"
import { type CompleteDbcConfig, completeConfig, type LaunchpadPresets } from "./ConfigPreset.ts"
import { configIssues } from "./ConfigRules.ts"
import { configTerms } from "./ConfigTerms.ts"
import { type ConfigParameters, createConfigInstruction } from "../dbc/ConfigParameters.ts"
import { configCosts } from "../build/LaunchCosts.ts"
import type { LaunchStep } from "../build/LaunchStep.ts"
import type { ConfigAccount } from "../dbc/ConfigAccount.ts"
import { newKeyPair } from "../build/NewKeyPair.ts"
import type { QuoteMint } from "../accounts/QuoteMint.ts"
import type { RentOf } from "../accounts/Rent.ts"
import { unitsOf } from "./Fraction.ts"
import type { LaunchTerms } from "@launch-registry/domain/pools/Schedules"
import { signingIssues } from "../build/SigningKeys.ts"

/** Measured use (54-78k, 214k with sixteen points and a pool that compounds) with room above it. */
export const CONFIG_UNITS = 250_000

/** What of a configuration a pool is built with. */
export type ConfigFacts = Pick<ConfigAccount, "quoteMint" | "tokenType" | "tokenDecimal" | "poolCreationFee">

/** Where the money of a launch goes. */
export interface FeeAddresses {
  /** Who may claim the platform's part of the trading fees. */
  readonly feeClaimer: string
  /** Who gets the base tokens that are left over. */
  readonly leftoverReceiver: string
  /** Whether the request or the settings name the fee claimer; otherwise it is the signer. */
  readonly isFeeClaimerNamed: boolean
}

/** A configuration to create: the fields that are merged over the preset of a launchpad. */
export interface NewConfig {
  readonly signer: string
  readonly launchpad: Launchpad
  readonly dbcConfig?: DbcConfig
  readonly quoteMint?: string
}

/** A configuration with its key, before it is in a transaction. */
export interface CreatedConfig extends ConfigFacts {
  readonly configAddress: string
  /** The whole configuration, with the accounts that it names. */
  readonly dbcConfig: DbcConfig
  /** Base58 of the 64 bytes: for the answer alone. */
  readonly secretKey: Redacted.Redacted
  readonly fees: FeeAddresses
  readonly parameters: ConfigParameters
  /** What lands of the schedules that were asked for. */
  readonly terms: LaunchTerms
}

/** A configuration of which every field is known, and nothing wrong is that needs no look at the chain. */
export interface CheckedConfig {
  readonly config: CompleteDbcConfig
  readonly quoteMint: string
  /** Whose amounts the curve has, where they are the preset's. */
  readonly amountsMint: string | undefined
}

/** Merges the request over the preset, and checks what needs no chain. */
export const checkConfig = (
  presets: LaunchpadPresets,
  { dbcConfig, launchpad, quoteMint, signer }: NewConfig,
): Effect.Effect<CheckedConfig, InvalidRequest> => {
  const preset = presets[launchpad]
  const checked = {
    config: completeConfig(preset.config, dbcConfig),
    quoteMint: quoteMint ?? preset.quoteMint,
    // The preset's market caps and threshold are amounts of its own quote token.
    amountsMint: dbcConfig?.buildCurveParam === undefined ? preset.quoteMint : undefined,
  }
  const issues = [
    ...signingIssues("body.signer", signer, { "the quote mint": checked.quoteMint }),
    ...configIssues(checked.config),
  ]
  return Effect.as(refuseIssues(issues), checked)
}

/** The step that creates a configuration under a new key. `quote` is `undefined` where there is no such mint. */
export const configStep = Effect.fnUntraced(function* (
  { amountsMint, config, quoteMint }: CheckedConfig,
  signer: string,
  { quote, rent }: { readonly quote: QuoteMint | undefined; readonly rent: RentOf },
) {
  const fault = quote === undefined ? `expected a token mint; there is none at ${quoteMint}` : quote.fault
  if (quote === undefined || fault !== undefined) return yield* InvalidRequest.at("body.quoteMint", fault!)
  const { badge, decimals } = quote
  if (amountsMint !== undefined && amountsMint !== quoteMint)
    return yield* InvalidRequest.at(
      "body.dbcConfig.buildCurveParam",
      `expected the amounts of the curve in ${quoteMint}: those of the launchpad are in ${amountsMint}`,
    )
  yield* refuseIssues(quoteIssues(config, decimals))
  const terms = configTerms(config, decimals)
  if ("issue" in terms) return yield* new InvalidRequest({ issues: [terms.issue] })
  const { parameters } = terms
  const key = yield* Effect.promise(newKeyPair)
  const feeClaimer = config.feeClaimer ?? signer
  const leftoverReceiver = config.leftoverReceiver ?? signer
  const accounts = { config: key.address, feeClaimer, leftoverReceiver, quoteMint, payer: signer, tokenBadge: badge }
  const step: LaunchStep = {
    purpose: "config",
    instructions: [createConfigInstruction(accounts, parameters)],
    keys: [key.keyPair],
    computeUnits: CONFIG_UNITS,
    costs: configCosts(rent, key.address),
    lent: 0n,
  }
  const created: CreatedConfig = {
    configAddress: key.address,
    secretKey: Redacted.make(encodeBase58(key.secretKey)),
    fees: { feeClaimer, leftoverReceiver, isFeeClaimerNamed: config.feeClaimer !== undefined },
    dbcConfig: { ...config, tokenQuoteDecimal: decimals, feeClaimer, leftoverReceiver } as DbcConfig,
    parameters,
    terms: terms.terms,
    quoteMint,
    tokenType: config.tokenType,
    tokenDecimal: config.tokenBaseDecimal,
    poolCreationFee: BigInt(parameters.poolCreationFee),
  }
  return { step, created }
})

/** A curve is built for the decimals of its quote token: with others every price would be off by powers of ten. */
const quoteIssues = ({ buildCurveMode, buildCurveParam, tokenQuoteDecimal }: CompleteDbcConfig, decimals: number) => {
  const issues: Array<InvalidIssue> = []
  if (tokenQuoteDecimal !== undefined && tokenQuoteDecimal !== decimals)
    issues.push({
      path: "body.dbcConfig.tokenQuoteDecimal",
      message: `expected ${decimals}, the decimals of the quote mint, or nothing`,
    })
  const threshold = buildCurveParam.migrationQuoteThreshold ?? "0"
  if (buildCurveMode === 0 && unitsOf(threshold, decimals) === undefined)
    issues.push({
      path: "body.dbcConfig.buildCurveParam.migrationQuoteThreshold",
      message: `expected at most ${decimals} decimals, those of the quote token`,
    })
  return issues
}
