import { formatWhole } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { Ago } from "../Ago.ts"
import type { Action } from "./Confirm.ts"
import { cordonAction, uncordonAction } from "./RpcActions.ts"
import type { RpcEndpoint, RpcReport } from "./Reports.ts"

const millis = (value: number | null): string => (value === null ? "–" : `${Math.round(value)} ms`)

const total = (errors: RpcEndpoint["errors"]): number => Object.values(errors).reduce((sum, count) => sum + count, 0)

type Ask = ((action: Action) => void) | undefined

const Endpoint = ({ endpoint, onAsk }: { readonly endpoint: RpcEndpoint; readonly onAsk: Ask }): View => {
  const { calls, cordon, errors, lastFault, latencyMillis, name, slot, slotLag, state, timesOutOfUse } = endpoint
  const isWell = (state === "closed" || state === "resting") && cordon === undefined
  return html`<tr>
    <th scope="row">${name}</th>
    <td data-label="State">
      <span class=${`badge ${isWell ? "well" : "bad"}`}
        >${cordon === undefined ? (state === "closed" ? "in use" : state) : "cordoned"}</span
      >
    </td>
    <td data-label="Slot">${slot === null ? "–" : formatWhole(slot)}</td>
    <td data-label="Behind">${slotLag === null ? "–" : formatWhole(slotLag)}</td>
    <td
      data-label="Latency"
      title=${`p50 ${millis(latencyMillis.p50)}, p95 ${millis(latencyMillis.p95)}, p99 ${millis(latencyMillis.p99)}`}
    >
      ${millis(latencyMillis.p50)} / ${millis(latencyMillis.p95)}
    </td>
    <td data-label="Calls">${formatWhole(calls)}</td>
    <td data-label="Errors">${formatWhole(total(errors))}</td>
    <td data-label="Out of use">${formatWhole(timesOutOfUse)}×</td>
    <td data-label="Last fault">
      ${lastFault === null ? "none" : html`${lastFault.fault} of ${lastFault.method}, <${Ago} time=${new Date(lastFault.atMillis).toISOString()} />`}
    </td>
    ${
      onAsk === undefined
        ? null
        : html`<td data-label="Action">
            ${
              cordon === undefined
                ? html`<button onClick=${() => onAsk(cordonAction(name))}>Cordon</button>`
                : html`<button onClick=${() => onAsk(uncordonAction(name))}>Uncordon</button>`
            }
          </td>`
    }
  </tr>`
}

/** The RPC endpoints in order of preference, as this replica sees them. */
export const RpcTable = ({ onAsk, report }: { readonly report: RpcReport; readonly onAsk: Ask }): View =>
  html`<p>The preferred endpoint changed ${formatWhole(report.switches)} times since the start.</p>
    <div class="scroll" tabindex="0" role="region" aria-label="Table of RPC endpoints">
      <table>
        <caption class="hidden">
          RPC endpoints in order of preference
        </caption>
        <thead>
          <tr>
            ${[
              "Endpoint",
              "State",
              "Slot",
              "Behind",
              "Latency (p50 / p95)",
              "Calls",
              "Errors",
              "Out of use",
              "Last fault",
              ...(onAsk === undefined ? [] : ["Action"]),
            ].map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${report.endpoints.map((endpoint) => html`<${Endpoint} key=${endpoint.name} endpoint=${endpoint} onAsk=${onAsk} />`)}
        </tbody>
      </table>
    </div>`
