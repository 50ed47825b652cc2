/** Figures of the market: what was read, and what trades of the stream say since. */
import type { Market, TradeSeen } from "@launch-registry/client"
import { formatChange, formatCompact, formatDecimal, formatShare, formatWhole, wholeAmount } from "../Format.ts"
import { Ago } from "../Ago.ts"
import { html, type View } from "../Html.ts"
import { dash, exact, Figure } from "../Figures.ts"
import type { TokenPool } from "./TokenFacts.ts"

export interface Figures {
  readonly price: string | null
  readonly marketCap: string | null
  /** From 0 to 1. */
  readonly progress: number | null
  /** Raised on the curve, in smallest units of the quote token. */
  readonly quoteReserve: string | null
  readonly lastTradeAt: string | null
}

/** The latest of each: a trade of the stream is newer than a read unless the read is of a later trade or slot. */
export const figuresOf = (
  { state }: Pick<TokenPool, "state">,
  market: Market | null,
  newest: TradeSeen | undefined,
): Figures => {
  const isSeenLater = newest !== undefined && BigInt(newest.slot) >= BigInt(state.slot)
  const onCurve = isSeenLater && newest.venue === "dbc"
  const lastTradeAt = [newest?.time, market?.lastTradeAt]
    .filter((time) => typeof time === "string")
    .toSorted()
    .at(-1)
  return {
    price: (isSeenLater ? newest.price : null) ?? state.price,
    marketCap: (isSeenLater ? newest.marketCap : null) ?? state.marketCap,
    progress: (isSeenLater ? newest.quoteProgress : null) ?? state.quoteProgress,
    quoteReserve: (onCurve ? newest.quoteReserve : null) ?? state.quoteReserve,
    lastTradeAt: lastTradeAt ?? null,
  }
}

const stageOf = ({ state }: TokenPool, progress: number): string => {
  if (state.isMigrated) return "Graduated: it trades in a pool now"
  if (state.isComplete || progress >= 1)
    return "The curve is complete and waits for its migration: until then there are no swaps"
  return "On the curve"
}

export const MarketPanel = ({
  figures,
  market,
  pool,
  unit,
}: {
  readonly figures: Figures
  readonly market: Market | null
  readonly pool: TokenPool
  readonly unit: string
}): View => {
  const { lastTradeAt, marketCap, price, progress, quoteReserve } = figures
  const { config, quoteDecimals } = pool
  const change = market?.priceChange24h ?? null
  const volume = market === null ? null : wholeAmount(market.quoteVolume24h, quoteDecimals)
  const share = progress ?? 0
  const quote = (amount: string | null): string =>
    amount === null ? "an amount not known" : formatDecimal(wholeAmount(amount, quoteDecimals))
  const raised = `${formatShare(share)}: ${quote(quoteReserve)} of ${quote(config.migrationQuoteThreshold)} ${unit} raised`
  return html`<section aria-labelledby="market">
    <h2 id="market">Market</h2>
    <dl class="figures">
      <${Figure} name="Price">${exact(price, unit, formatDecimal)}<//>
      <${Figure} name="Market cap">${exact(marketCap, unit, formatCompact)}<//>
      <${Figure} name="Price, 24 hours"
        >${
          change === null
            ? dash
            : html`<span class=${change > 0 ? "up" : change < 0 ? "down" : ""}>${formatChange(change)}</span>`
        }<//
      >
      <${Figure} name="Volume, 24 hours">${exact(volume, unit, formatCompact)}<//>
      <${Figure} name="Trades, 24 hours">${market === null ? dash : formatWhole(market.trades24h)}<//>
      <${Figure} name="Liquidity">${exact(market?.liquidity, unit, formatCompact)}<//>
      ${
        market?.priceUsd === null || market?.priceUsd === undefined
          ? null
          : html`<${Figure} name="Price in US dollars"
              >${exact(market.priceUsd, "USD", formatDecimal)}${market.usdStale === true ? " (old)" : ""}<//
            >`
      }
      <${Figure} name="Last trade">${lastTradeAt === null ? "none yet" : html`<${Ago} time=${lastTradeAt} />`}<//>
    </dl>
    <p class="raised">
      <b>${stageOf(pool, share)}</b>
      <progress max="1" value=${share} aria-label="Progress of the curve">${formatShare(share)}</progress>
      <span>${raised}</span>
    </p>
  </section>`
}
