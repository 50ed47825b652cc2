import { formatCompact, formatShare, shortAddress, wholeAmount } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { read, registry } from "../Registry.ts"
import { Empty, Failed, Loading } from "../States.ts"
import { type Fact, curveFacts, migratedFacts } from "./CurveWords.ts"
import { exact } from "../Figures.ts"
import { useReading } from "./Reading.ts"
import type { TokenPool } from "./TokenFacts.ts"
import { type Flag, trustFlags } from "./TrustWords.ts"

const EVERY_MILLIS = 60_000
const HOLDERS = 20

const FactList = ({ facts }: { readonly facts: ReadonlyArray<Fact> }): View =>
  html`<dl class="facts">
    ${facts.map(
      ([name, text]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${text}</dd>
        </div>`,
    )}
  </dl>`

const KINDS = { bad: "Note well", note: "Fact", good: "Good" } as const

const FlagView = ({ flag }: { readonly flag: Flag }): View =>
  html`<li class=${flag.kind}><span class="badge">${KINDS[flag.kind]}</span> ${flag.text}</li>`

/** What to judge the token by. */
export const TrustPanel = ({ mint }: { readonly mint: string }): View => {
  const { again, data, failure } = useReading(
    mint,
    async (signal) => (await read(registry.tokens.trust({ mintAddress: mint }, { signal }))).data,
    EVERY_MILLIS,
  )
  return html`<section aria-labelledby="trust">
    <h2 id="trust">What to know</h2>
    ${
      data !== undefined
        ? html`<ul class="flags">
            ${trustFlags(data).map((flag) => html`<${FlagView} flag=${flag} />`)}
          </ul>`
        : failure === undefined
          ? html`<${Loading} what="Reading mint, metadata and holders" />`
          : html`<${Failed} failure=${failure} onRetry=${again} />`
    }
  </section>`
}

/** Who has most of it. */
export const HoldersPanel = ({ decimals, mint }: { readonly mint: string; readonly decimals: number | null }): View => {
  const { again, data, failure } = useReading(
    mint,
    async (signal) => {
      const { tokens } = registry
      const [list, count] = await Promise.all([
        read(tokens.holders({ mintAddress: mint, include: "balances", limit: HOLDERS }, { signal })),
        read(tokens.holderCount({ mintAddress: mint }, { signal })),
      ])
      return {
        rows: list.data.filter((holder) => typeof holder !== "string"),
        count: `${count.data.count}${count.data.isWhole ? "" : "+"}`,
      }
    },
    EVERY_MILLIS,
  )
  const rows = data?.rows ?? []
  return html`<section aria-labelledby="holders">
    <h2 id="holders">Holders${data === undefined ? null : html` <small>${data.count}</small>`}</h2>
    ${
      data === undefined
        ? failure === undefined
          ? html`<${Loading} what="Reading holders" />`
          : html`<${Failed} failure=${failure} onRetry=${again} />`
        : rows.length === 0
          ? html`<${Empty}>Nobody holds it yet, but its pool.<//>`
          : html`<table class="holders">
              <thead>
                <tr>
                  ${["Wallet", "Tokens", "Share"].map((name) => html`<th scope="col">${name}</th>`)}
                </tr>
              </thead>
              <tbody>
                ${rows.map(
                  ({ address, amount, share }) =>
                    html`<tr key=${address}>
                      <th scope="row"><code title=${address}>${shortAddress(address)}</code></th>
                      <td>${exact(decimals === null ? null : wholeAmount(amount, decimals), "", formatCompact)}</td>
                      <td>${formatShare(share)}</td>
                    </tr>`,
                )}
              </tbody>
            </table>`
    }
  </section>`
}

/** The configuration of the curve, and the pool that it migrated to. */
export const CurvePanel = ({ pool, unit }: { readonly pool: TokenPool; readonly unit: string }): View => {
  const { config, quoteDecimals, state } = pool
  const migrated = state.migratedPool
  return html`${
      migrated === null
        ? null
        : html`<section aria-labelledby="migrated">
            <h2 id="migrated">Pool that it migrated to</h2>
            <p class="detail">
              <code>${migrated.pool}</code>, ${state.venue === "damm_v1" ? "Meteora DAMM v1" : "Meteora DAMM v2"}
            </p>
            <${FactList} facts=${migratedFacts(migrated, unit, quoteDecimals)} />
          </section>`
    }
    <section aria-labelledby="curve">
      <h2 id="curve">Curve</h2>
      <${FactList} facts=${curveFacts(config, unit, quoteDecimals)} />
    </section>`
}
