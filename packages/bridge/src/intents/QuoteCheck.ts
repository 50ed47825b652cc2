import type { AppFee } from "@launch-registry/domain/bridge/BridgeQuote"
import { DepositAddress, DepositMemo } from "@launch-registry/domain/bridge/ForeignText"
import { parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { Option, Schema } from "effect"
import { EchoedFee, type IntentsQuoteRequest, type IntentsQuoteResponse } from "./IntentsSchemas.ts"

/** The account of the swap service's own fee, which it adds to every echo, even when no fee was requested. */
export const SERVICE_FEE_ACCOUNT = "5880ad2b362620fadf759cbceb1cd5737ce8c6ed7fb8e9942881e6731f9247dd"
/** The most that its own fee adds, in basis points: observed were 1 with a key and 10 to 25 without one. */
const SERVICE_FEE_BPS_MAX = 25

const BPS = 10_000n
/** Signatures do not expire: this rejects replayed quotes, and allows as much clock skew. */
const AGE_MILLIS_MAX = 300_000
/** No deposit address lives longer; without this bound a swap could be polled for ever. */
const INACTIVE_MILLIS_MAX = 30 * 86_400_000
const ESTIMATE_SECONDS_MAX = 86_400

/**
 * Assets with two names, where the service may answer with the other one (oisy-wallet 13811, vizor-wallet 301). Every
 * other asset must come back unchanged: with a different one, the deposit would be lost.
 */
const ASSET_NAMES: ReadonlyArray<ReadonlyArray<string>> = [["nep141:btc.omft.near", "1cs_v1:btc:native:coin"]]
const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/
/** A link that a browser or wallet would open; other prefixes with a colon are how some chains write addresses. */
const LINK = /^(?:about|blob|data|file|ftp|https?|javascript|mailto|vbscript|wss?):/i

type Comparison = (asked: string, echoed: string) => boolean

const never: Comparison = () => false
const isSameAsset: Comparison = (asked, echoed) =>
  ASSET_NAMES.some((names) => names.includes(asked) && names.includes(echoed))
/** In an EVM address the case is only a checksum; in others it may be significant. */
const isSameAddress: Comparison = (asked, echoed) =>
  EVM_ADDRESS.test(asked) && asked.toLowerCase() === echoed.toLowerCase()
/** Compared to the second, because an echo may be rounded. */
const isSameTime: Comparison = (asked, echoed) =>
  Math.abs((parseIsoMillis(asked) ?? NaN) - (parseIsoMillis(echoed) ?? NaN)) < 1_000

/** Fields that the echo has to repeat, and what else than the same value means the same. */
const ECHOED: ReadonlyArray<readonly [keyof IntentsQuoteRequest, Comparison]> = [
  ...(["dry", "swapType", "slippageTolerance", "depositType", "amount", "refundType", "recipientType"] as const).map(
    (field) => [field, never] as const,
  ),
  ...[["originAsset", isSameAsset] as const, ["destinationAsset", isSameAsset] as const],
  ...[["recipient", isSameAddress] as const, ["refundTo", isSameAddress] as const, ["deadline", isSameTime] as const],
]
/** The quote may repeat these as well, and then its values count. */
const REPEATED = [
  ["virtualChainRecipient", isSameAddress],
  ["virtualChainRefundRecipient", isSameAddress],
  ["customRecipientMsg", never],
] as const

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ""

const isSame = (asked: unknown, echoed: unknown, alike: Comparison): boolean =>
  asked === echoed || (typeof asked === "string" && typeof echoed === "string" && alike(asked, echoed))

const decodeFees = Schema.decodeUnknownOption(Schema.NullOr(Schema.Array(EchoedFee)))

const bpsOf = (fees: ReadonlyArray<AppFee>, recipient?: string): number =>
  fees.reduce((sum, { fee, recipient: one }) => sum + (recipient === undefined || one === recipient ? fee : 0), 0)

/** The fees of an echo: those of applications, and the service's own in basis points. */
export const grantedFees = (echoed: unknown) => {
  const fees = Option.getOrNull(decodeFees(echoed ?? null)) ?? []
  return {
    appFees: fees.filter(({ recipient }) => recipient !== SERVICE_FEE_ACCOUNT),
    serviceFeeBps: bpsOf(fees, SERVICE_FEE_ACCOUNT),
  }
}

/**
 * Fees are echoed, not signed. The service adds its own, and under its partner policy takes it out of ours (a requested 50 comes
 * back as 25 and 25), so less for us is no fault.
 */
const feeProblem = (asked: ReadonlyArray<AppFee>, echoed: unknown): string | undefined => {
  const decoded = decodeFees(echoed ?? null)
  if (Option.isNone(decoded)) return "different"
  const fees = decoded.value ?? []
  const ours = new Set(asked.map(({ recipient }) => recipient))
  if (fees.some(({ recipient }) => recipient !== SERVICE_FEE_ACCOUNT && !ours.has(recipient))) return "added"
  const isMore = [...ours].some((one) => one !== SERVICE_FEE_ACCOUNT && bpsOf(fees, one) > bpsOf(asked, one))
  return isMore || bpsOf(fees) > bpsOf(asked) + SERVICE_FEE_BPS_MAX ? "different" : undefined
}

/** `amount` less slippage, and less one unit for rounding. */
const leastOf = (amount: bigint, slippageBps: number): bigint => (amount * (BPS - BigInt(slippageBps))) / BPS - 1n

/**
 * Why `response` must not be paid: how it differs from the request `asked`, contradicts itself, or is too late. Names no values,
 * because they come from the upstream. The signature proves that the service made the quote; only this proves that it was made
 * for our request.
 */
export const quoteFaults = (
  asked: IntentsQuoteRequest,
  { quote, quoteRequest: echo, timestamp }: IntentsQuoteResponse,
  nowMillis: number,
): ReadonlyArray<string> => {
  const found: Array<string> = []
  const claim = (field: string, problem: string | false | undefined) => {
    if (problem) found.push(`${field} is ${problem}`)
  }

  for (const [field, alike] of [...ECHOED, ...REPEATED]) {
    const value = asked[field]
    if (isNothing(value) || isNothing(echo[field]))
      claim(
        `quoteRequest.${field}`,
        isNothing(value) !== isNothing(echo[field]) && (isNothing(value) ? "added" : "missing"),
      )
    else claim(`quoteRequest.${field}`, !isSame(value, echo[field], alike) && "different")
  }
  for (const [field, alike] of REPEATED)
    if (!isNothing(quote[field]) && !isSame(asked[field], quote[field], alike))
      claim(`quote.${field}`, asked[field] === undefined ? "added" : "different")
  // Chains with a single mode may name it unasked; a missing memo is found below.
  claim(
    "quoteRequest.depositMode",
    asked.depositMode !== undefined && (echo.depositMode ?? "SIMPLE") !== asked.depositMode && "different",
  )
  // Never requested: it would route the money differently.
  claim(
    "quoteRequest.confidentiality",
    !isNothing(echo.confidentiality) && echo.confidentiality !== "public" && "added",
  )
  claim("quoteRequest.appFees", feeProblem(asked.appFees ?? [], echo.appFees))

  const { slippageTolerance, swapType } = asked
  const [amountIn, amountOut, minAmountOut] = [
    BigInt(quote.amountIn),
    BigInt(quote.amountOut),
    BigInt(quote.minAmountOut),
  ]
  const [given, name] = swapType === "EXACT_OUTPUT" ? [amountOut, "amountOut"] : [amountIn, "amountIn"]
  claim(`quote.${name}`, given !== BigInt(asked.amount) && "different")
  claim("quote.amountIn", amountIn === 0n && "inconsistent")
  claim("quote.amountOut", amountOut === 0n && "inconsistent")
  // With FLEX_INPUT both the amount in and the amount out may slip.
  const slipped = swapType === "FLEX_INPUT" ? leastOf(amountOut, slippageTolerance) : amountOut
  const isLess = minAmountOut > amountOut || minAmountOut < leastOf(slipped, slippageTolerance)
  claim("quote.minAmountOut", isLess && "inconsistent")
  claim("quote.minAmountIn", BigInt(quote.minAmountIn) > amountIn && "inconsistent")
  claim(
    "quote.timeEstimate",
    !(quote.timeEstimate >= 0 && quote.timeEstimate <= ESTIMATE_SECONDS_MAX) && "inconsistent",
  )
  const payByMillis = parseIsoMillis(asked.deadline)!
  claim("timestamp", Math.abs(nowMillis - parseIsoMillis(timestamp)!) > AGE_MILLIS_MAX && "stale")
  claim("quoteRequest.deadline", payByMillis <= nowMillis && "past")
  if (asked.dry) return found

  const { depositAddress, depositMemo } = quote
  if (depositAddress === undefined) claim("quote.depositAddress", "missing")
  else
    claim(
      "quote.depositAddress",
      (!Schema.is(DepositAddress)(depositAddress) || LINK.test(depositAddress)) && "unsound",
    )
  // Requests about the swap repeat the memo, so it has to pass their validation.
  claim("quote.depositMemo", depositMemo !== undefined && !Schema.is(DepositMemo)(depositMemo) && "unsound")
  const isMemo = asked.depositMode === "MEMO" || echo.depositMode === "MEMO"
  claim("quote.depositMemo", isMemo && depositMemo === undefined && "missing")
  const inactiveMillis = quote.deadline === undefined ? undefined : parseIsoMillis(quote.deadline)!
  if (inactiveMillis === undefined) claim("quote.deadline", "missing")
  else if (inactiveMillis <= nowMillis) claim("quote.deadline", "past")
  // The address would become inactive before the deadline that payers are given.
  else if (inactiveMillis < payByMillis) claim("quote.deadline", "inconsistent")
  else claim("quote.deadline", inactiveMillis > nowMillis + INACTIVE_MILLIS_MAX && "unsound")
  return found
}
