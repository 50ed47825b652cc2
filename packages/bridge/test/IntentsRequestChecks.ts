import { isAddressOf, isMemoChain, tokenOf } from "./IntentsTokens.ts"

type Json = Readonly<Record<string, unknown>>
export const isJsonObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const oneOf = (name: string, values: ReadonlyArray<string>, value: unknown): ReadonlyArray<string> =>
  values.includes(String(value)) && typeof value === "string"
    ? []
    : [`${name} must be one of the following values: ${values.join(", ")}`]

const text = (name: string, value: unknown): ReadonlyArray<string> =>
  typeof value === "string" && value !== "" ? [] : [`${name} should not be empty`, `${name} must be a string`]

const FIELDS = new Set(
  `dry depositMode swapType slippageTolerance originAsset depositType destinationAsset amount refundTo refundType recipient
  recipientType deadline quoteWaitingTimeMs referral sessionId appFees connectedWallets rebates confidentiality
  virtualChainRecipient virtualChainRefundRecipient customRecipientMsg`.split(/\s+/),
)

const feeFaults = (appFees: unknown): ReadonlyArray<string> => {
  if (appFees === undefined) return []
  if (!Array.isArray(appFees)) return ["appFees must be an array"]
  return appFees.flatMap((fee: unknown, at) => [
    ...(isJsonObject(fee) && typeof fee.recipient === "string" && fee.recipient !== ""
      ? []
      : [`appFees.${at}.recipient must be a string`]),
    ...(isJsonObject(fee) && Number.isInteger(fee.fee) && Number(fee.fee) >= 0 && Number(fee.fee) <= 10_000
      ? []
      : [`appFees.${at}.fee must be an integer number`]),
    ...(isJsonObject(fee) && Object.keys(fee).some((name) => name !== "recipient" && name !== "fee")
      ? [`appFees.${at} should not have other properties`]
      : []),
  ])
}

/** The messages of class-validator about the body of POST /v0/quote; none when it is valid. */
export const quoteFaults = (body: unknown): ReadonlyArray<string> => {
  if (!isJsonObject(body)) return ["body must be an object"]
  const { slippageTolerance: slippage, quoteWaitingTimeMs: waiting } = body
  return [
    ...Object.keys(body)
      .filter((name) => !FIELDS.has(name))
      .map((name) => `property ${name} should not exist`),
    ...(typeof body.dry === "boolean" ? [] : ["dry must be a boolean value"]),
    ...oneOf("swapType", ["EXACT_INPUT", "EXACT_OUTPUT", "FLEX_INPUT"], body.swapType),
    ...(body.depositMode === undefined ? [] : oneOf("depositMode", ["SIMPLE", "MEMO"], body.depositMode)),
    ...(Number.isInteger(slippage) && Number(slippage) >= 0 && Number(slippage) <= 10_000
      ? []
      : ["slippageTolerance must not be greater than 10000", "slippageTolerance must be an integer number"]),
    ...oneOf("depositType", ["ORIGIN_CHAIN", "INTENTS"], body.depositType),
    ...oneOf("refundType", ["ORIGIN_CHAIN", "INTENTS"], body.refundType),
    ...oneOf("recipientType", ["DESTINATION_CHAIN", "INTENTS"], body.recipientType),
    ...["originAsset", "destinationAsset", "refundTo", "recipient"].flatMap((name) => text(name, body[name])),
    ...(typeof body.amount === "string" && /^[1-9]\d{0,77}$/.test(body.amount)
      ? []
      : ["amount must be a positive integer string"]),
    ...(typeof body.deadline === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(body.deadline)
      ? []
      : ["deadline must be a valid ISO 8601 date string"]),
    ...(waiting === undefined || (Number.isInteger(waiting) && Number(waiting) >= 0)
      ? []
      : ["quoteWaitingTimeMs must be an integer number"]),
    ...["referral", "sessionId", "virtualChainRecipient", "virtualChainRefundRecipient"].flatMap((name) =>
      body[name] === undefined ? [] : text(name, body[name]),
    ),
    ...feeFaults(body.appFees),
  ]
}

export interface Limits {
  /** USD per chain, as the service set them for a while. */
  readonly usdMinimum: ReadonlyMap<string, number>
}

/** The service's refusal of a well-formed request; `undefined` when it quotes. */
export const quoteRefusal = (body: Json, limits: Limits, nowMillis: number): string | undefined => {
  const origin = tokenOf(String(body.originAsset))
  const destination = tokenOf(String(body.destinationAsset))
  if (origin === undefined) return "tokenIn is not valid"
  if (destination === undefined) return "tokenOut is not valid"
  if (Date.parse(String(body.deadline)) <= nowMillis) return "deadline must be in the future"
  if (body.recipientType === "DESTINATION_CHAIN" && !isAddressOf(destination.blockchain, String(body.recipient)))
    return "recipient is not valid"
  if (body.refundType === "ORIGIN_CHAIN" && !isAddressOf(origin.blockchain, String(body.refundTo)))
    return "refundTo is not valid"
  const isMemo = isMemoChain(origin.blockchain)
  if (body.depositType === "ORIGIN_CHAIN" && (body.depositMode === "MEMO") !== isMemo)
    return `depositMode ${isMemo ? "SIMPLE" : "MEMO"} is not supported for ${origin.blockchain}`
  const priced = body.swapType === "EXACT_OUTPUT" ? destination : origin
  const amount = BigInt(String(body.amount))
  for (const { blockchain } of [origin, destination]) {
    const usd = limits.usdMinimum.get(blockchain)
    if (usd !== undefined && (Number(amount) / 10 ** priced.decimals) * priced.price < usd)
      return `Temporary swap limits: minimum swap amount is $${usd.toLocaleString("en-US")}`
  }
  if (amount < priced.minimum) return `Amount is too low for bridge, try at least ${priced.minimum}`
  return undefined
}

/** The messages of class-validator about the body of POST /v0/deposit/submit. */
export const submissionFaults = (body: unknown): ReadonlyArray<string> => {
  if (!isJsonObject(body)) return ["body must be an object"]
  return [
    ...Object.keys(body)
      .filter((name) => !["txHash", "depositAddress", "memo", "nearSenderAccount"].includes(name))
      .map((name) => `property ${name} should not exist`),
    ...text("txHash", body.txHash),
    ...text("depositAddress", body.depositAddress),
    ...(body.memo === undefined ? [] : text("memo", body.memo)),
  ]
}
