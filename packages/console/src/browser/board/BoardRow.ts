import { Component } from "preact"
import {
  formatChange,
  formatCompact,
  formatDecimal,
  formatShare,
  shortAddress,
  unitOf,
  wholeAmount,
} from "../Format.ts"
import { html, type View } from "../Html.ts"
import { Ago } from "../Ago.ts"
import type { Row } from "./BoardState.ts"
import { shownImage } from "./ShownImage.ts"

const STAGES: Readonly<Record<string, string>> = { completed: "complete", migrated: "graduated" }

const dash = html`<span aria-label="not known">–</span>`

const change = (percent: number | null): View =>
  percent === null
    ? dash
    : html`<span class=${percent > 0 ? "up" : percent < 0 ? "down" : ""}>${formatChange(percent)}</span>`

const curve = (row: Row): View => {
  const stage = STAGES[row.stage]
  if (stage !== undefined) return html`<span class="badge">${stage}</span>`
  if (row.progress === null) return dash
  const share = formatShare(row.progress)
  return html`<progress max="1" value=${row.progress} aria-label=${`Curve of ${row.symbol}`}>${share}</progress>
    <span class="share">${share}</span>`
}

/** A row of the board; drawn again only where its row changed. */
export class BoardRow extends Component<{ readonly row: Row }, { readonly isBroken: boolean }> {
  override shouldComponentUpdate(next: { readonly row: Row }, state: { readonly isBroken: boolean }): boolean {
    return next.row !== this.props.row || state.isBroken !== this.state.isBroken
  }

  /** An image that failed before this listened. */
  readonly #look = (image: HTMLImageElement | null): void => {
    if (image?.complete === true && image.naturalWidth === 0) this.setState({ isBroken: true })
  }

  override render({ row }: { readonly row: Row }): View {
    const image = this.state.isBroken ? undefined : shownImage(row.imageUri, globalThis.location?.origin)
    const unit = unitOf(row.quoteMint)
    const volume =
      row.volume24h === null || row.quoteDecimals === null ? null : wholeAmount(row.volume24h, row.quoteDecimals)
    const figure = (text: string | null, format: (text: string) => string): View =>
      text === null ? dash : html`<span title=${`${text} ${unit}`}>${format(text)} <small>${unit}</small></span>`
    return html`<tr role="row" data-mint=${row.mint}>
      <th scope="row" role="rowheader">
        <span class="token">
          ${
            image === undefined
              ? html`<span class="image" aria-hidden="true">${[...row.symbol][0] ?? "?"}</span>`
              : html`<img
                  class="image"
                  src=${image}
                  alt=""
                  loading="lazy"
                  referrerpolicy="no-referrer"
                  ref=${this.#look}
                  onError=${() => this.setState({ isBroken: true })}
                />`
          }
          <span class="names">
            <a href=${`#/token/${row.mint}`}><b dir="auto">${row.symbol}</b></a
            >${row.verified ? html`<span class="badge" title="Verified by operators">verified</span>` : null}
            <span class="name" dir="auto">${row.name}</span>
          </span>
        </span>
      </th>
      <td role="cell" data-label="Price" class=${row.moved ?? ""}>${figure(row.price, formatDecimal)}</td>
      <td role="cell" data-label="Market cap">${figure(row.marketCap, formatCompact)}</td>
      <td role="cell" data-label="Volume 24h">${figure(volume, formatCompact)}</td>
      <td role="cell" data-label="24h">${change(row.change24h)}</td>
      <td role="cell" data-label="Curve">${curve(row)}</td>
      <td role="cell" data-label="Launched">
        ${row.launchedAt === null ? dash : html`<${Ago} time=${row.launchedAt} />`}
      </td>
      <td role="cell" data-label="Mint"><code title=${row.mint}>${shortAddress(row.mint)}</code></td>
    </tr>` as View
  }
}
