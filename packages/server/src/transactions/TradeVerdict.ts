import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import type { TradeSide } from "@launch-registry/domain/pools/PoolTrade"
import type { Contradiction } from "@launch-registry/domain/tokens/TokenErrors"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import { type Address, isOffCurveAddress } from "@solana/kit"

/** A trade of a transaction that landed; amounts in smallest units. */
export interface ChainTrade {
  readonly pool: string
  readonly baseMint: string
  readonly quoteMint: string
  readonly trader: string
  readonly side: TradeSide
  readonly baseAmount: bigint
  readonly quoteAmount: bigint
  /** Null where they are not known. */
  readonly baseDecimals: number | null
  readonly quoteDecimals: number | null
  /** A swap on the pool of a launch. Anything else may be in tokens that are worth nothing. */
  readonly isOfLaunch: boolean
}

/** What a record says of its trade. */
export interface RecordedTrade {
  readonly userAddress: string
  readonly action: TradeSide
  readonly baseToken: string
  readonly quoteToken: string
  readonly poolAddress: string
  /** 0 for whole tokens. */
  readonly amountInDecimals: number
  readonly amountOutDecimals: number
}

/** What a record has of the trade once the chain has said it, in the units that it was recorded in. */
export interface ChainAmounts {
  readonly amountIn: string
  readonly amountInDecimals: number
  readonly amountOut: string
  readonly amountOutDecimals: number
  readonly pricePerToken: string
  /** What counts as volume, in whole tokens; null where the chain shows no swap of the user on the pool of a launch in its quote token. */
  readonly quoteVolume: string | null
}

export type TradeVerdict =
  | { readonly _tag: "Agreed"; readonly amounts: ChainAmounts }
  | { readonly _tag: "Contradicted"; readonly contradictions: ReadonlyArray<Contradiction> }
  /** What is known of the transaction does not say. */
  | { readonly _tag: "Unknown" }

const UNKNOWN: TradeVerdict = { _tag: "Unknown" }

/** Digits after the point of an amount or price. */
const SCALE_MAX = 40

/** Which fields of a record say the same as a trade, by their names in both. */
const SAME = { action: "side", baseToken: "baseMint", quoteToken: "quoteMint", poolAddress: "pool" } as const

const differing = (recorded: RecordedTrade, trade: ChainTrade): ReadonlyArray<Contradiction> =>
  Object.entries({ userAddress: "trader" as const, ...SAME }).flatMap(([field, fact]) => {
    const sent = recorded[field as keyof typeof SAME]
    return sent === trade[fact] ? [] : [{ field, onChain: trade[fact], sent }]
  })

/**
 * Whose trade it is. A wallet that trades through a program may have its trade made by an address of that program: such an address
 * signs nothing itself, and then the trade belongs to those who signed. `undefined` where signers are not known and matter.
 */
const isOf = (user: string, { trader }: ChainTrade, signers: ReadonlySet<string> | undefined): boolean | undefined => {
  if (trader === user) return true
  if (!isAddress(trader) || !isOffCurveAddress(trader as Address)) return false
  return signers && signers.has(user)
}

/**
 * Compares a record with all trades of its transaction, at least one. Amounts are not compared: those that were sent are estimates, and the
 * chain's replace them. A route may have paid in another token than the pool's quote: that the trade alone does not say.
 */
export const tradeVerdict = (
  recorded: RecordedTrade,
  trades: ReadonlyArray<ChainTrade>,
  signers?: ReadonlySet<string>,
): TradeVerdict => {
  const compared = trades.map((trade) => {
    const owned = isOf(recorded.userAddress, trade, signers)
    const differs = differing(recorded, trade)
    return { trade, owned, differs: owned === true ? differs.filter(({ field }) => field !== "userAddress") : differs }
  })
  const agreed = compared.filter(({ differs }) => differs.length === 0).map(({ trade }) => trade)
  if (agreed.length > 0) return agreedOn(recorded, agreed)
  const isOpen = compared.some(({ differs, owned }) =>
    differs.every(({ field }) => field === "quoteToken" || (field === "userAddress" && owned === undefined)),
  )
  if (isOpen) return UNKNOWN
  const [nearest] = compared.toSorted((a, b) => a.differs.length - b.differs.length)
  return { _tag: "Contradicted", contradictions: nearest!.differs }
}

/** One swap may be split: then the record has all of it. */
const agreedOn = (recorded: RecordedTrade, trades: ReadonlyArray<ChainTrade>): TradeVerdict => {
  const [{ baseDecimals, quoteDecimals }] = trades as [ChainTrade]
  if (baseDecimals === null || quoteDecimals === null) return UNKNOWN
  const base = { amount: sum(trades, "baseAmount"), decimals: baseDecimals }
  const quote = { amount: sum(trades, "quoteAmount"), decimals: quoteDecimals }
  const [paid, got] = recorded.action === "BUY" ? [quote, base] : [base, quote]
  // One that a program made for several signers would count for each of them.
  const own = trades.filter(({ isOfLaunch, trader }) => isOfLaunch && trader === recorded.userAddress)
  const [amountIn, amountOut] = [shown(paid, recorded.amountInDecimals), shown(got, recorded.amountOutDecimals)]
  return {
    _tag: "Agreed",
    amounts: {
      amountIn: amountIn.amount,
      amountInDecimals: amountIn.decimals,
      amountOut: amountOut.amount,
      amountOutDecimals: amountOut.decimals,
      pricePerToken: priceOf(base, quote),
      quoteVolume: own.length === 0 ? null : `${sum(own, "quoteAmount")}e-${quoteDecimals}`,
    },
  }
}

const sum = (trades: ReadonlyArray<ChainTrade>, of: "baseAmount" | "quoteAmount"): bigint =>
  trades.reduce((total, trade) => total + trade[of], 0n)

interface Amount {
  readonly amount: bigint
  readonly decimals: number
}

/** In whole tokens if it was recorded so, else in smallest units. */
const shown = ({ amount, decimals }: Amount, recordedDecimals: number) =>
  recordedDecimals === 0 && decimals <= SCALE_MAX
    ? { amount: plainDecimal(`${amount}e-${decimals}`)!, decimals: 0 }
    : { amount: String(amount), decimals }

/** Whole quote tokens for a whole base token. */
const priceOf = (base: Amount, quote: Amount): string => {
  if (base.amount === 0n) return "0"
  const price =
    (quote.amount * 10n ** BigInt(base.decimals + SCALE_MAX)) / (base.amount * 10n ** BigInt(quote.decimals))
  return plainDecimal(`${price}e-${SCALE_MAX}`) ?? "0"
}
