import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { appFeeDiscrepancies } from "./AppFeeEcho.ts"
import { type Discrepancy, fatal, harmless } from "./Discrepancy.ts"
import type { IntentsQuoteRequest, IntentsQuoteResponse } from "./IntentsSchemas.ts"
import { quoteDiscrepancies } from "./QuoteSanity.ts"

export interface EchoOptions {
  readonly nowMillis: number
  /** Accounts that the swap service takes its own fee with. */
  readonly serviceFeeAccounts?: ReadonlyArray<string>
}

/**
 * Assets with two names, where the service may answer with the other one (oisy-wallet 13811, vizor-wallet 301). Every
 * other asset must come back unchanged: with a different one, the deposit would be lost.
 */
const ASSET_NAMES: ReadonlyArray<ReadonlyArray<string>> = [["nep141:btc.omft.near", "1cs_v1:btc:native:coin"]]

type Comparison = (asked: unknown, echoed: unknown) => boolean

const isSame: Comparison = (asked, echoed) => asked === echoed

const isText = (value: unknown): value is string => typeof value === "string"

const isSameAsset: Comparison = (asked, echoed) =>
  asked === echoed ||
  (isText(asked) && isText(echoed) && ASSET_NAMES.some((names) => names.includes(asked) && names.includes(echoed)))

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/

/** In an EVM address the case is only a checksum; in others it may be significant. */
const isSameAddress: Comparison = (asked, echoed) =>
  asked === echoed ||
  (isText(asked) && isText(echoed) && EVM_ADDRESS.test(asked) && asked.toLowerCase() === echoed.toLowerCase())

const REPEATED = [
  ["virtualChainRecipient", isSameAddress],
  ["virtualChainRefundRecipient", isSameAddress],
  ["customRecipientMsg", isSame],
] as const

/** Compared to the second, because an echo may be rounded. */
const isSameTime: Comparison = (asked, echoed) => {
  const [askedMillis, echoedMillis] = [asked, echoed].map((time) => (isText(time) ? parseIsoMillis(time) : undefined))
  return askedMillis !== undefined && echoedMillis !== undefined && Math.abs(askedMillis - echoedMillis) < 1_000
}

const isNothing = (value: unknown): boolean =>
  value === undefined || value === null || value === "" || (Array.isArray(value) && value.length === 0)

/**
 * All differences between `response` and the request `asked`, and all contradictions within it; none for a genuine
 * quote. The signature proves that the service made the quote; only this check proves that it was made for our request.
 */
export const discrepanciesOf = (
  asked: IntentsQuoteRequest,
  response: IntentsQuoteResponse,
  options: EchoOptions,
): ReadonlyArray<Discrepancy> => {
  const echo = response.quoteRequest
  const found: Array<Discrepancy> = []
  const compare = (field: keyof IntentsQuoteRequest, isEqual: Comparison) => {
    const value = asked[field]
    if (isNothing(echo[field]) !== isNothing(value))
      found.push(fatal(`quoteRequest.${field}`, isNothing(value) ? "added" : "missing"))
    else if (!isNothing(value) && !isEqual(value, echo[field])) found.push(fatal(`quoteRequest.${field}`, "different"))
  }

  for (const field of [
    "dry",
    "swapType",
    "slippageTolerance",
    "depositType",
    "amount",
    "refundType",
    "recipientType",
  ] as const)
    compare(field, isSame)
  compare("originAsset", isSameAsset)
  compare("destinationAsset", isSameAsset)
  for (const field of ["recipient", "refundTo"] as const) compare(field, isSameAddress)
  // The quote may repeat these, and then the quote's values count.
  for (const [field, isEqual] of REPEATED) {
    compare(field, isEqual)
    const repeated = response.quote[field]
    if (!isNothing(repeated) && !isEqual(asked[field], repeated))
      found.push(fatal(`quote.${field}`, asked[field] === undefined ? "added" : "different"))
  }
  compare("deadline", isSameTime)

  // Chains with a single mode may name it unasked; a missing memo is found below.
  if (asked.depositMode !== undefined && (echo.depositMode ?? "SIMPLE") !== asked.depositMode)
    found.push(fatal("quoteRequest.depositMode", "different"))
  // Never requested: it would route the money differently.
  if (!isNothing(echo.confidentiality) && echo.confidentiality !== "public")
    found.push(fatal("quoteRequest.confidentiality", "added"))
  // These move no money.
  for (const field of ["sessionId", "referral", "quoteWaitingTimeMs"] as const)
    if (asked[field] !== undefined && asked[field] !== echo[field])
      found.push(harmless(`quoteRequest.${field}`, isNothing(echo[field]) ? "missing" : "different"))

  return [
    ...found,
    ...appFeeDiscrepancies(asked.appFees ?? [], echo.appFees, options.serviceFeeAccounts),
    ...quoteDiscrepancies(asked, response, options.nowMillis),
  ]
}
