import { Component } from "preact"
import { Ago } from "../Ago.ts"
import { formatCompact, formatDecimal, shortAddress, wholeAmount } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { Empty, Failed, Loading } from "../States.ts"
import { exact } from "../Figures.ts"
import type { TradesShown } from "./LiveTrades.ts"
import type { TradeRow } from "./Trades.ts"
import { VENUES } from "./Venues.ts"

interface Units {
  readonly unit: string
  readonly symbol: string
  readonly baseDecimals: number
  readonly quoteDecimals: number
}

/** A trade never changes: its row is drawn once. */
class TradeLine extends Component<{ readonly row: TradeRow; readonly units: Units }> {
  override shouldComponentUpdate(next: { readonly row: TradeRow; readonly units: Units }): boolean {
    return next.row.key !== this.props.row.key || next.units !== this.props.units
  }

  override render({ row, units }: { readonly row: TradeRow; readonly units: Units }): View {
    const { baseDecimals, quoteDecimals, symbol, unit } = units
    return html`<tr data-signature=${row.signature}>
      <th scope="row"><${Ago} time=${row.time} /></th>
      <td class=${row.side === "BUY" ? "up" : "down"}>${row.side === "BUY" ? "Buy" : "Sell"}</td>
      <td>${exact(row.price, unit, formatDecimal)}</td>
      <td>${exact(wholeAmount(row.quoteAmount, quoteDecimals), unit, formatDecimal)}</td>
      <td>${exact(wholeAmount(row.baseAmount, baseDecimals), symbol, formatCompact)}</td>
      <td><code title=${row.trader}>${shortAddress(row.trader)}</code></td>
      <td>${VENUES[row.venue]}</td>
      <td><code title=${row.signature}>${shortAddress(row.signature)}</code></td>
    </tr>` as View
  }
}

/** Trades as they happen, newest first. */
export const TradeList = ({
  onMore,
  onRetry,
  shown,
  units,
}: {
  readonly shown: TradesShown
  readonly units: Units
  readonly onMore: () => void
  readonly onRetry: () => void
}): View => {
  const { drawn, failure, isLoading, nextCursor, rows } = shown
  if (rows.length === 0) {
    if (failure !== undefined) return html`<${Failed} failure=${failure} onRetry=${onRetry} />`
    if (isLoading) return html`<${Loading} what="Reading trades" />`
    return html`<${Empty}>No trade yet. The first one appears here by itself.<//>`
  }
  return html`${
      failure === undefined ? null : html`<p class="stale" role="status">Not all was read: ${failure.message}.</p>`
    }
    <div class="scroll trades" tabindex="0" role="region" aria-label="Trades">
      <table>
        <thead>
          <tr>
            ${["When", "Side", "Price", "Paid or received", "Tokens", "Wallet", "Where", "Transaction"].map(
              (name) => html`<th scope="col">${name}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${rows.slice(0, drawn).map((row) => html`<${TradeLine} key=${row.key} row=${row} units=${units} />`)}
        </tbody>
      </table>
    </div>
    ${nextCursor === null && rows.length <= drawn ? null : html`<button class="more" onClick=${onMore}>Show older</button>`}`
}
