import type { BuiltLaunch } from "@launch-registry/client"
import { formatDecimal, formatWhole, wholeAmount } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { DECIMALS } from "./CurvePresets.ts"
import type { Costs, Lacking } from "./LaunchStore.ts"
import { solOf } from "./SolAmount.ts"

type CostPart = BuiltLaunch["cost"]["parts"][number]

const WORDS: Readonly<Record<CostPart["item"], string>> = {
  config_rent: "Rent of the curve's configuration",
  mint_rent: "Rent of the token's mint",
  pool_rent: "Rent of the pool",
  vault_rent: "Rent of the pool's vaults",
  token_metadata_rent: "Rent of the token's metadata",
  token_metadata_fee: "Fee of the Token Metadata program",
  pool_metadata_rent: "Rent of the pool's metadata",
  pool_creation_fee: "Fee of the launchpad for a pool",
  token_account_rent: "Rent of your token account",
  first_buy: "Your first buy",
  network_fee: "Fee of the network for signatures",
  priority_fee: "Priority fee",
}

/** Sums of the parts by what they are for, in their order. */
export const summedParts = (parts: ReadonlyArray<CostPart>): ReadonlyArray<readonly [CostPart["item"], bigint]> => {
  const sums = new Map<CostPart["item"], bigint>()
  for (const { item, lamports } of parts) sums.set(item, (sums.get(item) ?? 0n) + BigInt(lamports))
  return [...sums]
}

const whole = (amount: string): string => formatDecimal(wholeAmount(amount, DECIMALS))

/** What the launch takes from the wallet, part by part. */
export const CostTable = ({ costs }: { readonly costs: Costs }): View => {
  const { cost, quote, wallet } = costs
  const row = (name: string, lamports: string): View =>
    html`<tr>
      <th scope="row">${name}</th>
      <td>${formatWhole(lamports)}</td>
      <td>${solOf(lamports)}</td>
    </tr>`
  return html`<div class="scroll" tabindex="0" role="region" aria-label="What the launch costs">
      <table>
        <caption class="hidden">
          What the launch costs
        </caption>
        <thead>
          <tr>
            ${["Part", "Lamports", "SOL"].map((name) => html`<th scope="col">${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${summedParts(cost.parts).map(([item, lamports]) => row(WORDS[item] ?? item, String(lamports)))}
        </tbody>
        <tfoot>
          ${row("Together", cost.total)}
        </tfoot>
      </table>
    </div>
    ${
      quote === undefined
        ? null
        : html`<p>
            The first buy gives <b>${whole(quote.expectedAmountOut)} tokens</b>, at least
            ${` ${whole(quote.minimumAmountOut)}`}, and moves the price from ${formatDecimal(quote.priceBefore)} to
            ${` ${formatDecimal(quote.priceAfter)}`} SOL.
          </p>`
    }
    <p>
      The wallet has ${solOf(wallet.lamports)} SOL and needs ${solOf(wallet.required)} SOL while it launches: enough.
    </p>`
}

/** What the wallet lacks. */
export const LackingFunds = ({ lacking }: { readonly lacking: Lacking }): View =>
  html`<div class="state failed" role="alert">
    <p><b>The wallet lacks ${solOf(lacking.shortfall)} SOL</b></p>
    <p>
      It has ${solOf(lacking.held)} SOL, and the launch needs ${solOf(lacking.required)} SOL. Fill it, and work out the
      cost again.
    </p>
  </div>`
