import type { SwapRequest } from "@launch-registry/client"
import { Segments } from "../design/Segments.tsx"
import styles from "./Swap.module.css"

/** What is asked for by the names of priority fees: what the registry takes by default, or more where others have paid more lately. */
const FEES = { Normal: {}, Fast: { priorityFee: "medium" }, Fastest: { priorityFee: "high" } } as const
type FeeName = keyof typeof FEES
const FEE_NAMES = (Object.keys(FEES) as ReadonlyArray<FeeName>).map((name) => [name, name] as const)
const SLIPPAGES = ["0.5", "1", "3", "10"].map((percent) => [percent, `${percent}%`] as const)

export interface Settings {
  /** In percent, as it was typed. */
  readonly slippage: string
  readonly fee: FeeName
}

export const DEFAULTS: Settings = { slippage: "1", fee: "Normal" }

export const feeOf = ({ fee }: Settings): Pick<SwapRequest, "priorityFee"> => FEES[fee]

/** How far the price may move before a swap lands, and what is paid to land sooner. */
export const SwapSettings = ({
  onChange,
  settings,
}: {
  readonly settings: Settings
  readonly onChange: (settings: Settings) => void
}) => {
  const { fee, slippage } = settings
  const slip = (percent: string) => onChange({ ...settings, slippage: percent })
  return (
    <details className={styles.options}>
      <summary>
        Slippage <b>{slippage === "" ? "–" : `${slippage}%`}</b>, fee of the network <b>{fee.toLowerCase()}</b>
      </summary>
      <p className="muted">If the price moves by more, the swap fails, and only the fee of the network is spent.</p>
      <div className={styles.row}>
        <Segments label="Slippage at most" options={SLIPPAGES} value={slippage} onChange={slip} />
        <label>
          <span className="hidden">Own slippage in percent</span>
          <input
            name="slippage"
            inputMode="decimal"
            maxLength={6}
            value={slippage}
            onChange={(event) => slip(event.target.value)}
          />{" "}
          %
        </label>
      </div>
      <p className="muted">
        Who pays more is served first where many trade: as much as half of them, or three quarters.
      </p>
      <Segments
        label="Priority fee"
        options={FEE_NAMES}
        value={fee}
        onChange={(chosen) => onChange({ ...settings, fee: chosen })}
      />
    </details>
  )
}
