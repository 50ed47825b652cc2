import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { upstreamText } from "./UpstreamText.ts"

/** Most digits of an amount: those of 2^256 - 1. */
const DIGITS_MAX = 78
const REASON_LENGTH_MAX = 500
/** More than any swap has; bounds what every poll stores. */
const HASHES_MAX = 50
const URL_LENGTH_MAX = 500

/** Characters of transaction hashes: hexadecimal, Base58, Base64, and ids of several parts. */
const HASH = /^[A-Za-z0-9_:.+/=@-]{1,200}$/

/** A transaction of a swap on one of its chains. */
export interface ChainTransaction {
  readonly hash: string
  readonly explorerUrl?: string
}

/**
 * The progress of a swap as the service reports it. Amounts are in smallest units, without leading zeros; USD for
 * display.
 */
export interface SwapDetails {
  readonly amountIn?: string
  readonly amountOut?: string
  readonly originChainTxHashes: ReadonlyArray<ChainTransaction>
  readonly destinationChainTxHashes: ReadonlyArray<ChainTransaction>
  readonly depositedAmount?: string
  readonly refundedAmount?: string
  readonly refundReason?: string
  readonly refundFee?: string
  readonly withdrawFee?: string
  readonly amountInUsd?: string
  readonly amountOutUsd?: string
  readonly depositedAmountUsd?: string
  readonly refundedAmountUsd?: string
  /** Basis points. */
  readonly slippage?: number
  readonly intentHashes?: ReadonlyArray<string>
  readonly nearTxHashes?: ReadonlyArray<string>
}

/** Details, and the names of the fields that could not be read. */
export interface ReadDetails {
  readonly details: SwapDetails | undefined
  readonly unreadable: ReadonlyArray<string>
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null && !Array.isArray(value)

/** `amount` without leading zeros; `undefined` unless it is a whole number as text. */
export const canonicalUnits = (amount: unknown): string | undefined =>
  typeof amount === "string" && amount.length <= DIGITS_MAX && /^\d+$/.test(amount)
    ? amount.replace(/^0+(?=\d)/, "")
    : undefined

const SLIPPAGE_BPS_MAX = 10_000

const slippageOf = (slippage: unknown): number | undefined =>
  typeof slippage === "number" && Math.abs(slippage) <= SLIPPAGE_BPS_MAX ? slippage : undefined

const reasonOf = (reason: unknown): string | undefined =>
  typeof reason === "string" ? upstreamText(reason, REASON_LENGTH_MAX) || undefined : undefined

/** A value for display; anything but a decimal number counts as missing. */
const shown = <Name extends string>(json: Json, name: Name): { readonly [Key in Name]?: string } => {
  const value = json[name]
  const decimal = typeof value === "string" && value.length <= 100 ? plainDecimal(value) : undefined
  return (decimal === undefined ? {} : { [name]: decimal }) as { readonly [Key in Name]?: string }
}

/** A URL that is safe to open in a browser. */
const linkOf = (url: unknown): string | undefined => {
  if (typeof url !== "string" || url.length > URL_LENGTH_MAX || !/^https:\/\/[\u0021-\u007e]+$/.test(url))
    return undefined
  return /["'<>`\\^{|}]/.test(url) || !URL.canParse(url) || new URL(url).username !== "" ? undefined : url
}

/** Some answers give only the hash. An invalid link is dropped, the hash kept. */
const transactionOf = (entry: unknown): ChainTransaction | undefined => {
  const { explorerUrl, hash } = isObject(entry) ? entry : { explorerUrl: undefined, hash: entry }
  if (typeof hash !== "string" || !HASH.test(hash)) return undefined
  const link = linkOf(explorerUrl)
  return link === undefined ? { hash } : { hash, explorerUrl: link }
}

/**
 * Reads the details of a swap field by field: a field that is not as documented counts as missing and is named, so that
 * the other fields and the status still count.
 */
export const readSwapDetails = (json: unknown): ReadDetails => {
  if (json === undefined || json === null) return { details: undefined, unreadable: [] }
  if (!isObject(json)) return { details: undefined, unreadable: ["swapDetails"] }
  const unreadable: Array<string> = []

  const read = <Value>(name: keyof SwapDetails, decode: (value: unknown) => Value | undefined) => {
    const value = json[name] ?? undefined
    if (value === undefined || value === "") return {}
    const decoded = decode(value)
    if (decoded !== undefined) return { [name]: decoded }
    unreadable.push(name)
    return {}
  }

  const list = (name: "originChainTxHashes" | "destinationChainTxHashes"): ReadonlyArray<ChainTransaction> => {
    const value = json[name] ?? []
    const entries: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
    const transactions = new Map<string, ChainTransaction>()
    let isWhole = Array.isArray(value)
    for (const entry of entries) {
      const transaction = transactions.size < HASHES_MAX ? transactionOf(entry) : undefined
      if (transaction === undefined) isWhole = false
      else if (!transactions.has(transaction.hash)) transactions.set(transaction.hash, transaction)
    }
    if (!isWhole) unreadable.push(name)
    return [...transactions.values()]
  }

  const hashes = (name: "intentHashes" | "nearTxHashes") =>
    read(name, (value) => {
      const entries: ReadonlyArray<unknown> = Array.isArray(value) ? value : [undefined]
      const sound = entries.filter((hash): hash is string => typeof hash === "string" && HASH.test(hash))
      const kept = [...new Set(sound)].slice(0, HASHES_MAX)
      return sound.length === entries.length ? kept : undefined
    })

  const details: SwapDetails = {
    ...read("amountIn", canonicalUnits),
    ...read("amountOut", canonicalUnits),
    originChainTxHashes: list("originChainTxHashes"),
    destinationChainTxHashes: list("destinationChainTxHashes"),
    ...read("depositedAmount", canonicalUnits),
    ...read("refundedAmount", canonicalUnits),
    ...read("refundReason", reasonOf),
    ...read("refundFee", canonicalUnits),
    ...read("withdrawFee", canonicalUnits),
    ...shown(json, "amountInUsd"),
    ...shown(json, "amountOutUsd"),
    ...shown(json, "depositedAmountUsd"),
    ...shown(json, "refundedAmountUsd"),
    ...read("slippage", slippageOf),
    ...hashes("intentHashes"),
    ...hashes("nearTxHashes"),
  }
  return { details, unreadable }
}
