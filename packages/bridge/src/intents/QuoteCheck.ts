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

const isAddress = Schema.is(DepositAddress)
const isMemo = Schema.is(DepositMemo)

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
  const claim = (isWrong: boolean, fault: string) => {
    if (isWrong) found.push(fault)
  }

  for (const [field, alike] of [...ECHOED, ...REPEATED]) {
    const [isUnasked, isUnsaid] = [isNothing(asked[field]), isNothing(echo[field])]
    if (isUnasked || isUnsaid)
      claim(isUnasked !== isUnsaid, `quoteRequest.${field} is ${isUnasked ? "added" : "missing"}`)
    else claim(!isSame(asked[field], echo[field], alike), `quoteRequest.${field} is different`)
  }
  for (const [field, alike] of REPEATED)
    if (!isNothing(quote[field]) && !isSame(asked[field], quote[field], alike))
      found.push(`quote.${field} is ${asked[field] === undefined ? "added" : "different"}`)
  // Chains with a single mode may name it unasked; a missing memo is found below.
  const isOtherMode = asked.depositMode !== undefined && (echo.depositMode ?? "SIMPLE") !== asked.depositMode
  claim(isOtherMode, "quoteRequest.depositMode is different")
  // Never requested: it would route the money differently.
  const isPublic = isNothing(echo.confidentiality) || echo.confidentiality === "public"
  claim(!isPublic, "quoteRequest.confidentiality is added")
  const wrongFees = feeProblem(asked.appFees ?? [], echo.appFees)
  claim(wrongFees !== undefined, `quoteRequest.appFees is ${wrongFees}`)

  const { slippageTolerance, swapType } = asked
  const [amountIn, amountOut] = [BigInt(quote.amountIn), BigInt(quote.amountOut)]
  const [given, name] = swapType === "EXACT_OUTPUT" ? [amountOut, "amountOut"] : [amountIn, "amountIn"]
  claim(given !== BigInt(asked.amount), `quote.${name} is different`)
  claim(amountIn === 0n, "quote.amountIn is inconsistent")
  claim(amountOut === 0n, "quote.amountOut is inconsistent")
  // With FLEX_INPUT both the amount in and the amount out may slip.
  const slipped = swapType === "FLEX_INPUT" ? leastOf(amountOut, slippageTolerance) : amountOut
  const minAmountOut = BigInt(quote.minAmountOut)
  const isInRange = minAmountOut <= amountOut && minAmountOut >= leastOf(slipped, slippageTolerance)
  claim(!isInRange, "quote.minAmountOut is inconsistent")
  claim(BigInt(quote.minAmountIn) > amountIn, "quote.minAmountIn is inconsistent")
  claim(!(quote.timeEstimate >= 0 && quote.timeEstimate <= ESTIMATE_SECONDS_MAX), "quote.timeEstimate is inconsistent")
  const payByMillis = parseIsoMillis(asked.deadline)!
  claim(Math.abs(nowMillis - parseIsoMillis(timestamp)!) > AGE_MILLIS_MAX, "timestamp is stale")
  claim(payByMillis <= nowMillis, "quoteRequest.deadline is past")
  if (asked.dry) return found

  const { depositAddress = "", depositMemo } = quote
  const isPayable = isAddress(depositAddress) && !LINK.test(depositAddress)
  claim(!isPayable, `quote.depositAddress is ${depositAddress === "" ? "missing" : "unsound"}`)
  // Requests about the swap repeat the memo, so it has to pass their validation.
  claim(depositMemo !== undefined && !isMemo(depositMemo), "quote.depositMemo is unsound")
  const needsMemo = asked.depositMode === "MEMO" || echo.depositMode === "MEMO"
  claim(needsMemo && depositMemo === undefined, "quote.depositMemo is missing")
  const inactiveMillis = quote.deadline === undefined ? NaN : parseIsoMillis(quote.deadline)!
  if (Number.isNaN(inactiveMillis)) found.push("quote.deadline is missing")
  else if (inactiveMillis <= nowMillis) found.push("quote.deadline is past")
  // The address would become inactive before the deadline that payers are given.
  else if (inactiveMillis < payByMillis) found.push("quote.deadline is inconsistent")
  claim(inactiveMillis > nowMillis + INACTIVE_MILLIS_MAX, "quote.deadline is unsound")
  return found
}
