import { formatCompact, formatDecimal, formatShare, wholeAmount } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { type Curve, type CurvePoint, marketCapAt, pointAt, priceAt } from "./Curve.ts"
import { BOTTOM, HEIGHT, LEFT, placesOf, RIGHT, share, TOP, WIDTH } from "./CurvePlaces.ts"

/** Rows of the table, in percent of what is raised. */
const ROWS = [0n, 25n, 50n, 75n, 100n]

const Row = ({ curve, point }: { readonly curve: Curve; readonly point: CurvePoint }): View => {
  const { baseDecimals, quoteDecimals } = curve.terms
  const [raised, sold] = [
    wholeAmount(String(point.raised), quoteDecimals),
    wholeAmount(String(point.sold), baseDecimals),
  ]
  const [cap, price] = [marketCapAt(curve, point), priceAt(curve, point)]
  return html`<tr>
    <th scope="row">${formatDecimal(raised)} SOL</th>
    <td title=${cap}>${formatDecimal(cap)} SOL</td>
    <td title=${price}>${formatDecimal(price)} SOL</td>
    <td title=${sold}>${formatCompact(sold)} (${formatShare(share(point.sold, curve.supply))})</td>
  </tr>`
}

/** The curve drawn, price against tokens sold, and what it has raised at which market cap. */
export const CurveDrawing = ({ curve }: { readonly curve: Curve }): View => {
  const places = placesOf(curve)
  const line = places.map((place, index) => `${index === 0 ? "M" : "L"}${place.join(" ")}`).join("")
  const [start, end] = [pointAt(curve, 0n), pointAt(curve, curve.threshold)]
  const said = `Price against tokens sold: from ${formatDecimal(priceAt(curve, start))} SOL to ${formatDecimal(priceAt(curve, end))} SOL`
  return html`<figure class="curve">
      <svg viewBox=${`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label=${said}>
        <path class="axis" d=${`M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}`} />
        <path class="area" d=${`${line}V${BOTTOM}H${LEFT}Z`} />
        <path class="line" d=${line} />
        <text x=${LEFT + 6} y=${TOP + 6}>price</text>
        <text x=${RIGHT} y=${HEIGHT - 6} text-anchor="end">tokens sold</text>
      </svg>
    </figure>
    <div class="scroll" tabindex="0" role="region" aria-label="What the curve raises">
      <table>
        <caption class="hidden">
          What the curve has raised at which market cap
        </caption>
        <thead>
          <tr>
            ${["Raised", "Market cap", "Price", "Tokens sold"].map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${ROWS.map(
            (percent) => html`<${Row} curve=${curve} point=${pointAt(curve, (curve.threshold * percent) / 100n)} />`,
          )}
        </tbody>
      </table>
    </div>`
}
