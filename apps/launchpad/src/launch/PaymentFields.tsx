import { Button } from "../design/Button.tsx"
import { formatCompact, formatShare, wholeAmount } from "../figures/Format.ts"
import { DECIMALS } from "./Curve.ts"
import { termsOf } from "./CurveFigures.ts"
import type { Priority } from "./Draft.ts"
import styles from "./Form.module.css"
import { type Costs, editDraft, useLaunch } from "./LaunchStore.ts"
import { TextField } from "./TextField.tsx"

const AMOUNTS = ["0.1", "0.5", "1", "5"]
const PRIORITIES: ReadonlyArray<readonly [Priority, string]> = [
  ["default", "Usual"],
  ["none", "None"],
  ["low", "Low: what a quarter pays at most"],
  ["medium", "Medium: what half pay at most"],
  ["high", "High: what three quarters pay at most"],
]

/** The first buy, and what few people change. */
export const PaymentFields = ({ quote }: { readonly quote: Costs["quote"] }) => {
  const { draft, issues } = useLaunch()
  const { figures, firstBuy, poolMetadata, priority } = draft
  const buy = (amount: string) => editDraft({ firstBuy: amount }, ["firstBuy"])
  const tokens = quote && wholeAmount(quote.expectedAmountOut, DECIMALS)
  const bought =
    tokens === undefined || firstBuy === "" || termsOf(figures) === undefined
      ? "Bought by you together with the pool, before anybody else can."
      : `You get about ${formatCompact(tokens)} tokens, ${formatShare(Number(tokens) / Number(figures.supply))} of the supply.`
  return (
    <section className={`surface stack ${styles.section}`} aria-labelledby="launch-payment">
      <h2 id="launch-payment">First buy</h2>
      <TextField
        name="firstBuy"
        label="Amount"
        unit="SOL"
        inputMode="decimal"
        placeholder="None"
        hint={bought}
        value={firstBuy}
        issue={issues["firstBuy"]}
        onText={buy}
      >
        <div className="row" role="group" aria-label="Amounts">
          {AMOUNTS.map((amount) => (
            <Button
              key={amount}
              aria-pressed={firstBuy === amount}
              onClick={() => buy(firstBuy === amount ? "" : amount)}
            >
              {amount}
            </Button>
          ))}
        </div>
      </TextField>
      <details>
        <summary>More options</summary>
        <label className={styles.field}>
          Priority fee
          <select
            className={`surface ${styles.input}`}
            value={priority}
            onChange={({ target }) => editDraft({ priority: target.value as Priority }, ["priorityFee"])}
          >
            {PRIORITIES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={poolMetadata}
            onChange={({ target }) => editDraft({ poolMetadata: target.checked }, ["poolMetadata"])}
          />{" "}
          Publish name, website and image with the pool, too
        </label>
        <p className="down small">{issues["priorityFee"] ?? issues["poolMetadata"]}</p>
      </details>
    </section>
  )
}
