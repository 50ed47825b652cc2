import { useMemo } from "preact/hooks"
import { formatDecimal } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { curveOf, marketCapAt, pointAt, riseOf } from "./Curve.ts"
import { CurveDrawing } from "./CurveDrawing.ts"
import { PRESETS, termsOf } from "./CurvePresets.ts"
import { editDraft, useLaunch } from "./LaunchStore.ts"

/** A preset in words, with the figures of its curve. */
const Preset = ({
  isFixed,
  preset,
}: {
  readonly preset: (typeof PRESETS)[number]
  readonly isFixed: boolean
}): View => {
  const { draft } = useLaunch()
  return html`<label class="preset">
    <input
      type="radio"
      name="launch-curve"
      value=${preset.id}
      checked=${draft.curve === preset.id}
      disabled=${isFixed}
      onChange=${() => editDraft({ curve: preset.id })}
    />
    <span><b>${preset.name}: ${preset.raises} SOL.</b> ${preset.words}</span>
  </label>`
}

/** Which curve the token is sold on, drawn. */
export const CurveChoice = ({ isFixed }: { readonly isFixed: boolean }): View => {
  const { draft } = useLaunch()
  const curve = useMemo(() => curveOf(termsOf(draft.curve)), [draft.curve])
  const { poolPercent, raises, supply } = curve.terms
  const [start, end] = [pointAt(curve, 0n), pointAt(curve, curve.threshold)]
  return html`<section aria-labelledby="launch-curve">
    <h2 id="launch-curve">Curve</h2>
    <fieldset>
      <legend class="hidden">How much the curve raises</legend>
      ${PRESETS.map((preset) => html`<${Preset} key=${preset.id} preset=${preset} isFixed=${isFixed} />`)}
    </fieldset>
    <p>
      ${formatDecimal(supply)} tokens. The market cap begins at
      <b>${` ${formatDecimal(marketCapAt(curve, start))} SOL`}</b>. When ${raises} SOL were raised it is
      <b>${` ${formatDecimal(marketCapAt(curve, end))} SOL`}</b>${`, ${riseOf(curve)} times as much, `}and the ${raises}
      SOL go with ${poolPercent}% of the tokens into a pool at DAMM v2. Fees of trades come on top.
    </p>
    <${CurveDrawing} curve=${curve} />
  </section>`
}
