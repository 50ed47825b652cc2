import { Button } from "../design/Button.tsx"
import { formatCompact, formatShare, wholeAmount } from "../figures/Format.ts"
import { DECIMALS } from "./CurvePresets.ts"
import { share } from "./CurveDrawing.tsx"
import type { Priority } from "./Draft.ts"
import styles from "./Form.module.css"
import { type Costs, editDraft, useLaunch } from "./LaunchStore.ts"
import { chosenTerms } from "./OwnCurve.ts"
import { TextField } from "./TextField.tsx"

const AMOUNTS = ["0.1", "0.5", "1", "5"]
const PRIORITIES: ReadonlyArray<readonly [Priority, string]> = [
  ["default", "Usual"],
  ["none", "None"],
  ["low", "Low: what a quarter pays at most"],
  ["medium", "Medium: what half pay at most"],
  ["high", "High: what three quarters pay at most"],
]

/** What the first buy gives, as the builder quotes it. */
const Bought = ({ quote }: { readonly quote: NonNullable<Costs["quote"]> }) => {
  const { draft } = useLaunch()
  const supply = BigInt(chosenTerms(draft)?.supply ?? 0) * 10n ** BigInt(DECIMALS)
  const out = quote.expectedAmountOut
  return (
    <p className={styles.hint}>
      You get about <b>{formatCompact(wholeAmount(out, DECIMALS))} tokens</b>
      {supply > 0n && <>, {formatShare(share(BigInt(out), supply))} of the supply</>}.
    </p>
  )
}

/** The first buy, and what few people change. */
export const PaymentFields = ({ quote }: { readonly quote: Costs["quote"] }) => {
  const { draft, issues } = useLaunch()
  const buy = (firstBuy: string) => editDraft({ firstBuy }, ["firstBuy"])
  return (
    <section className={styles.section} aria-labelledby="launch-payment">
      <h2 id="launch-payment">First buy</h2>
      <TextField
        name="firstBuy"
        label="Amount"
        unit="SOL"
        inputMode="decimal"
        placeholder="None"
        hint="Bought by you together with the pool, before anybody else can."
        value={draft.firstBuy}
        issue={issues["firstBuy"]}
        onText={buy}
      >
        <div className={styles.amounts} role="group" aria-label="Amounts">
          {AMOUNTS.map((amount) => (
            <Button key={amount} aria-pressed={draft.firstBuy === amount} onClick={() => buy(amount)}>
              {amount}
            </Button>
          ))}
          <Button disabled={draft.firstBuy === ""} onClick={() => buy("")}>
            None
          </Button>
        </div>
      </TextField>
      {quote !== undefined && draft.firstBuy !== "" && <Bought quote={quote} />}
      <details className={styles.more}>
        <summary>More options</summary>
        <label className={styles.field}>
          Priority fee
          <select
            className={styles.input}
            value={draft.priority}
            onChange={({ target }) => editDraft({ priority: target.value as Priority }, ["priorityFee"])}
          >
            {PRIORITIES.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        {issues["priorityFee"] !== undefined && <p className={styles.issue}>{issues["priorityFee"]}</p>}
        <label className={styles.check}>
          <input
            type="checkbox"
            checked={draft.poolMetadata}
            onChange={({ target }) => editDraft({ poolMetadata: target.checked })}
          />
          Publish name, website and image with the pool on the chain as well: it costs rent.
        </label>
      </details>
    </section>
  )
}
