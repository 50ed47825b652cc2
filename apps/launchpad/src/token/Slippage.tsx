import { Segments } from "../design/Segments.tsx"
import styles from "./Swap.module.css"

const PRESETS = ["0.5", "1", "3", "10"].map((percent) => [percent, `${percent}%`] as const)

/** How far the price may move before a swap lands. */
export const Slippage = ({
  onChange,
  percent,
}: {
  readonly percent: string
  readonly onChange: (percent: string) => void
}) => (
  <details className={styles.options}>
    <summary>
      Slippage <b>{percent === "" ? "–" : `${percent}%`}</b>
    </summary>
    <p className="muted">If the price moves by more, the swap fails, and only the fee of the network is spent.</p>
    <div className={styles.row}>
      <Segments label="Slippage at most" options={PRESETS} value={percent} onChange={onChange} />
      <label>
        <span className="hidden">Own slippage in percent</span>
        <input
          name="slippage"
          inputMode="decimal"
          maxLength={6}
          value={percent}
          onChange={(event) => onChange(event.target.value)}
        />{" "}
        %
      </label>
    </div>
  </details>
)
