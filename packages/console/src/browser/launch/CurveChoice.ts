import { useMemo } from "preact/hooks"
import { formatDecimal } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { curveOf, type CurveTerms, marketCapAt, pointAt, riseOf } from "./Curve.ts"
import { CurveDrawing } from "./CurveDrawing.ts"
import { PRESETS } from "./CurvePresets.ts"
import { editDraft, useLaunch } from "./LaunchStore.ts"
import { chosenTerms, type CurveId } from "./OwnCurve.ts"
import { OwnCurveFields } from "./OwnCurveFields.ts"

const Choice = ({
  children,
  id,
  isFixed,
}: {
  readonly id: CurveId
  readonly isFixed: boolean
  readonly children?: View
}): View => {
  const { draft } = useLaunch()
  return html`<label class="preset">
    <input
      type="radio"
      name="launch-curve"
      value=${id}
      checked=${draft.curve === id}
      disabled=${isFixed}
      onChange=${() => editDraft({ curve: id })}
    />
    <span>${children}</span>
  </label>`
}

/** What a curve does, in words and drawn. */
const Shape = ({ terms }: { readonly terms: CurveTerms }): View => {
  const curve = useMemo(() => curveOf(terms), Object.values(terms))
  const { poolPercent, raises, supply } = terms
  const [start, end] = [pointAt(curve, 0n), pointAt(curve, curve.threshold)]
  return html`<p>
      ${formatDecimal(supply)} tokens. The market cap begins at
      <b>${` ${formatDecimal(marketCapAt(curve, start))} SOL`}</b>. When ${formatDecimal(raises)} SOL were raised it is
      <b>${` ${formatDecimal(marketCapAt(curve, end))} SOL`}</b>${`, ${riseOf(curve)} times as much, `}and the
      ${` ${formatDecimal(raises)} `}SOL go with ${formatDecimal(String(poolPercent))}% of the tokens into a pool at
      DAMM v2. Fees of trades come on top.
    </p>
    <${CurveDrawing} curve=${curve} />`
}

/** Which curve the token is sold on, drawn. */
export const CurveChoice = ({ isFixed }: { readonly isFixed: boolean }): View => {
  const { draft } = useLaunch()
  const terms = chosenTerms(draft)
  return html`<section aria-labelledby="launch-curve">
    <h2 id="launch-curve">Curve</h2>
    <fieldset>
      <legend class="hidden">How much the curve raises</legend>
      ${PRESETS.map(
        ({ id, name, raises, words }) =>
          html`<${Choice} key=${id} id=${id} isFixed=${isFixed}><b>${name}: ${raises} SOL.</b> ${words}<//>`,
      )}
      <${Choice} key="own" id="own" isFixed=${isFixed}
        ><b>Own figures.</b> Supply, market caps and fee as you enter them.<//
      >
    </fieldset>
    ${draft.curve === "own" ? html`<${OwnCurveFields} isFixed=${isFixed} />` : null}
    ${
      terms === undefined
        ? html`<p class="state">The curve is drawn once these figures are valid.</p>`
        : html`<${Shape} terms=${terms} />`
    }
  </section>`
}
