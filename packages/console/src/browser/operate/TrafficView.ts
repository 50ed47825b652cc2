import { Figure } from "../Figures.ts"
import { html, type View } from "../Html.ts"
import type { RequestCounts, RouteRates, Traffic } from "./TrafficRates.ts"
import { intervalsOf, lastMinute } from "./TrafficReadings.ts"

const ROUTES_MAX = 8
const [WIDTH, HEIGHT] = [600, 48]

const rate = (perSecond: number): string => `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`

const share = (part: number, whole: number): string =>
  whole === 0 ? "–" : `${part === 0 ? 0 : ((part / whole) * 100).toFixed(1)} %`

const atMost = (seconds: number | undefined): string => {
  if (seconds === undefined) return "–"
  return Number.isFinite(seconds) ? `≤ ${Math.round(seconds * 1_000)} ms` : "longer than the last bound"
}

/** A bar for each interval, and in it what failed. */
const Bars = ({ intervals }: { readonly intervals: ReadonlyArray<Traffic> }): View => {
  const most = Math.max(...intervals.map(({ perSecond }) => perSecond), 1)
  const width = WIDTH / intervals.length
  const bar = (kind: string, at: number, perSecond: number): View => {
    const height = (perSecond / most) * HEIGHT
    return html`<rect class=${kind} x=${at * width} y=${HEIGHT - height} width=${width * 0.9} height=${height} />`
  }
  const [first, last] = [intervals[0]!, intervals.at(-1)!]
  return html`<svg
    class="traffic"
    viewBox=${`0 0 ${WIDTH} ${HEIGHT}`}
    preserveAspectRatio="none"
    role="img"
    aria-label=${`Requests a second, from ${rate(first.perSecond)} to ${rate(last.perSecond)}, at most ${rate(most)}`}
  >
    ${intervals.map((one, at) => bar("proven", at, one.perSecond))}
    ${intervals.map((one, at) => bar("gap", at, one.failed / one.seconds))}
  </svg>`
}

const Route = ({ route }: { readonly route: RouteRates }): View =>
  html`<tr>
    <th scope="row">${route.route}</th>
    <td data-label="Requests">${rate(route.perSecond)}</td>
    <td data-label="Failed">${route.failed}</td>
    <td data-label="429">${route.limited}</td>
    <td data-label="19 of 20 within">${atMost(route.p95)}</td>
  </tr>`

/** Requests of the process that was read last: rates, errors, latencies. */
export const TrafficView = ({ readings }: { readonly readings: ReadonlyArray<RequestCounts> }): View => {
  const traffic = lastMinute(readings)
  const newest = readings.at(-1)
  if (traffic === undefined || newest === undefined) return html`<p>Rates are shown after the second reading.</p>`
  const { failed, limited, p50, p95, perSecond, refused, requests, routes, seconds } = traffic
  return html`<${Bars} intervals=${intervalsOf(readings)} />
    <dl class="figures">
      <${Figure} name="Requests">${rate(perSecond)}<//>
      <${Figure} name="Failed (5xx)">${share(failed, requests)}<//>
      <${Figure} name="Refused by a limit (429)">${share(limited, requests)}<//>
      <${Figure} name="Other 4xx">${share(refused, requests)}<//>
      <${Figure} name="Half of them within">${atMost(p50)}<//>
      <${Figure} name="19 of 20 within">${atMost(p95)}<//>
      <${Figure} name="In flight">${newest.inFlight}<//>
    </dl>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of operations">
      <table>
        <caption class="hidden">
          Operations, those that fail first
        </caption>
        <thead>
          <tr>
            ${["Operation", "Requests", "Failed", "429", "19 of 20 within"].map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${routes.slice(0, ROUTES_MAX).map((route) => html`<${Route} key=${route.route} route=${route} />`)}
        </tbody>
      </table>
    </div>
    <p>
      <small
        >${`Of the last ${Math.round(seconds)} seconds, of the replica that answered; of all replicas in Prometheus (docs/tracing.md).`}</small
      >
    </p>`
}
