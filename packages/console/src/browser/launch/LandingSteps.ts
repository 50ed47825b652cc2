import { shortAddress } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { type Build, type BuiltStep, hasLanded } from "./Draft.ts"

const PURPOSES: Readonly<Record<string, string>> = {
  config: "creates the curve",
  pool: "creates the token and its pool",
  first_buy: "makes your first buy",
  pool_metadata: "publishes the pool's metadata",
}

const STATES: Readonly<Record<string, string>> = {
  pending: "sent, waits for the network",
  processed: "in a block, not confirmed yet",
  confirmed: "confirmed",
  finalized: "finalized",
  failed: "failed",
  expired: "did not land",
}

const stateWords = ({ signature, state }: BuiltStep): string => {
  if (signature === null) return "waits for your signature"
  return state === null ? "signed, not known to be sent" : (STATES[state] ?? state)
}

const Step = ({ number, step }: { readonly number: number; readonly step: BuiltStep }): View => {
  const words = step.purposes.map((purpose) => PURPOSES[purpose] ?? purpose).join(" and ")
  return html`<li data-state=${step.state ?? ""}>
    Transaction ${number} ${words}: <span class=${hasLanded(step) ? "badge well" : "badge"}>${stateWords(step)}</span>
    ${step.signature === null ? null : html` <code title=${step.signature}>${shortAddress(step.signature)}</code>`}
  </li>`
}

/** The transactions of a launch, each with how far it is. */
export const LandingSteps = ({
  build,
  isRegistered,
  isRegistering,
}: {
  readonly build: Build
  readonly isRegistered: boolean
  readonly isRegistering: boolean
}): View => {
  const registration = isRegistered ? "registered" : isRegistering ? "on its way" : "when it is launched"
  return html`<div role="status">
    <ol class="steps">
      ${build.steps.map((step, index) => html`<${Step} key=${index} number=${index + 1} step=${step} />`)}
      <li>
        Registration: <span class=${isRegistered ? "badge well" : "badge"}>${registration}</span> ${" "}<code
          title=${build.mintAddress}
          >${shortAddress(build.mintAddress)}</code
        >
      </li>
    </ol>
  </div>`
}
