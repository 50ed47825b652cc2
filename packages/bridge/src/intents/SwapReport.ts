import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { addressKey } from "@launch-registry/domain/bridge/AddressKey"
import type { SwapTransaction } from "@launch-registry/domain/bridge/BridgeSwap"
import { canonicalUnits, isObject, upstreamText } from "./UpstreamText.ts"

const STATUS_LENGTH_MAX = 64
const REASON_LENGTH_MAX = 500
/** More than any swap has; bounds what every poll stores. */
const HASHES_MAX = 50
const URL_LENGTH_MAX = 500
const SLIPPAGE_BPS_MAX = 10_000

/** Characters of transaction hashes: hexadecimal, Base58, Base64, and ids of several parts. */
const HASH = /^[A-Za-z0-9_:.+/=@-]{1,200}$/

/**
 * The progress of a swap as the service reports it, under the names of our columns; what an answer leaves out is not there.
 * Amounts are in smallest units, without leading zeros; lists are sorted, because the order of the answers changes.
 */
export interface SwapDetails {
  readonly amountIn?: string
  readonly amountInUsd?: string
  readonly amountOut?: string
  readonly amountOutUsd?: string
  readonly depositedAmount?: string
  readonly depositedAmountUsd?: string
  readonly refundedAmount?: string
  readonly refundedAmountUsd?: string
  readonly refundReason?: string
  readonly refundFee?: string
  readonly withdrawFee?: string
  /** Basis points. */
  readonly slippage?: number
  readonly originTxs?: ReadonlyArray<SwapTransaction>
  readonly destinationTxs?: ReadonlyArray<SwapTransaction>
  readonly intentHashes?: ReadonlyArray<string>
  readonly nearTxHashes?: ReadonlyArray<string>
}

/** 200 of GET /v0/status, and of POST /v0/deposit/submit. */
export interface SwapReport {
  /** Any text without deceptive characters: the set of statuses is open. */
  readonly status: string
  readonly details: SwapDetails
  /** Names of unreadable fields, which count as missing. */
  readonly unreadable: ReadonlyArray<string>
}

const slippageOf = (slippage: unknown): number | undefined =>
  typeof slippage === "number" && Math.abs(slippage) <= SLIPPAGE_BPS_MAX ? slippage : undefined

const reasonOf = (reason: unknown): string | undefined =>
  typeof reason === "string" ? upstreamText(reason, REASON_LENGTH_MAX) || undefined : undefined

/** A URL that is safe to open in a browser. */
const linkOf = (url: unknown): string | null => {
  if (typeof url !== "string" || url.length > URL_LENGTH_MAX || !/^https:\/\/[\u0021-\u007e]+$/.test(url)) return null
  return /["'<>`\\^{|}]/.test(url) || !URL.canParse(url) || new URL(url).username !== "" ? null : url
}

/** Some answers give only the hash. An invalid link is dropped, the hash kept. */
const transactionOf = (entry: unknown): SwapTransaction | undefined => {
  const { explorerUrl, hash } = isObject(entry) ? entry : { explorerUrl: undefined, hash: entry }
  return typeof hash === "string" && HASH.test(hash) ? { hash, explorerUrl: linkOf(explorerUrl) } : undefined
}

/** Details of a swap field by field: one that is not as documented is named and left out, so that the others still count. */
const detailsOf = (told: unknown): Pick<SwapReport, "details" | "unreadable"> => {
  if (told === undefined || told === null) return { details: {}, unreadable: [] }
  if (!isObject(told)) return { details: {}, unreadable: ["swapDetails"] }
  const details: Record<string, unknown> = {}
  const unreadable: Array<string> = []
  const read = (name: string, decode: (value: unknown) => unknown) => {
    const value = told[name] ?? ""
    if (value === "") return
    const decoded = decode(value)
    if (decoded === undefined) unreadable.push(name)
    else details[name] = decoded
  }
  const readList = (name: string, column: string, shown: (one: SwapTransaction) => unknown) => {
    const value = told[name] ?? []
    const entries: ReadonlyArray<unknown> = Array.isArray(value) ? value : [undefined]
    const found = new Map<string, SwapTransaction>()
    for (const one of entries.slice(0, HASHES_MAX).map(transactionOf))
      if (one !== undefined && !found.has(one.hash)) found.set(one.hash, one)
    if (entries.length > HASHES_MAX || entries.some((entry) => transactionOf(entry) === undefined))
      unreadable.push(name)
    const list = [...found.keys()].toSorted().map((hash) => shown(found.get(hash)!))
    if (list.length > 0) details[column] = list
  }

  for (const name of ["amountIn", "amountOut"]) read(name, canonicalUnits)
  readList("originChainTxHashes", "originTxs", (one) => one)
  readList("destinationChainTxHashes", "destinationTxs", (one) => one)
  for (const name of ["depositedAmount", "refundedAmount"]) read(name, canonicalUnits)
  read("refundReason", reasonOf)
  for (const name of ["refundFee", "withdrawFee"]) read(name, canonicalUnits)
  // For display: anything but a decimal number counts as missing.
  for (const name of ["amountInUsd", "amountOutUsd", "depositedAmountUsd", "refundedAmountUsd"]) {
    const value = told[name]
    const decimal = typeof value === "string" && value.length <= 100 ? plainDecimal(value) : undefined
    if (decimal !== undefined) details[name] = decimal
  }
  read("slippage", slippageOf)
  for (const name of ["intentHashes", "nearTxHashes"]) readList(name, name, ({ hash }) => hash)
  return { details, unreadable }
}

/** The field that shows that an answer belongs to another swap: it repeats its quote. Null and empty count as missing. */
const strayField = (quoteResponse: unknown, address: string, memo: string | undefined): string | undefined => {
  const quote = isObject(quoteResponse) ? quoteResponse.quote : undefined
  if (!isObject(quote)) return undefined
  const { depositAddress: told, depositMemo } = quote
  const isOther = told && !(typeof told === "string" && addressKey(told) === addressKey(address))
  if (isOther) return "quoteResponse.quote.depositAddress"
  return depositMemo && depositMemo !== memo ? "quoteResponse.quote.depositMemo" : undefined
}

/** What an answer says of the swap at `address`; the name of the field that makes it unusable, instead. */
export const readReport = (json: unknown, address: string, memo: string | undefined): SwapReport | string => {
  const status = isObject(json) && typeof json.status === "string" ? upstreamText(json.status, STATUS_LENGTH_MAX) : ""
  if (!isObject(json) || status === "") return "status"
  return strayField(json.quoteResponse, address, memo) ?? { status, ...detailsOf(json.swapDetails) }
}
