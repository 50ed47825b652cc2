import { useEffect } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { Failed } from "../States.ts"
import { useWallet } from "../wallet/Wallet.ts"
import { CostTable, LackingFunds } from "./CostTable.ts"
import { CurveChoice } from "./CurveChoice.ts"
import { DetailsFields } from "./DetailsFields.ts"
import { isLaunched, isUnderWay } from "./Draft.ts"
import { ImageField } from "./ImageField.ts"
import { LandingSteps } from "./LandingSteps.ts"
import { goOn, goOnByItself, launch, workOutCosts } from "./Launching.ts"
import { type Activity, discardDraft, useLaunch } from "./LaunchStore.ts"
import { PaymentFields } from "./PaymentFields.ts"
import { StartAgain } from "./StartAgain.ts"

const ACTIVITIES: Readonly<Record<Activity, string>> = {
  checking: "Checking",
  uploading: "Uploading the image",
  saving: "Storing the metadata",
  building: "Building the transactions",
  landing: "Launching: sign in your wallet when it asks",
  registering: "Registering the token",
}

/** What it costs, and the buttons that build and sign. */
const Deploy = (): View => {
  const { activity, costs, lacking } = useLaunch()
  const wallet = useWallet()
  const isBusy = activity !== undefined
  const known = costs !== undefined && costs.signer === wallet?.address ? costs : undefined
  return html`<section aria-labelledby="launch-deploy">
    <h2 id="launch-deploy">Launch</h2>
    ${wallet === undefined ? html`<p>Connect a wallet, above, to see what it costs and to launch.</p>` : null}
    ${lacking === undefined ? null : html`<${LackingFunds} lacking=${lacking} />`}
    ${known === undefined ? null : html`<${CostTable} costs=${known} />`}
    <p class="actions">
      <button
        type="button"
        disabled=${isBusy || wallet === undefined}
        onClick=${() => wallet !== undefined && void workOutCosts(wallet.address)}
      >
        Work out the cost
      </button>
      <button
        type="button"
        class="main"
        disabled=${isBusy || wallet === undefined || known === undefined}
        onClick=${() => wallet !== undefined && void launch(wallet)}
      >
        Sign and launch
      </button>
    </p>
  </section>`
}

/** A launch that the wallet has signed, in part or whole: how far it is, and how it goes on. */
const UnderWay = (): View => {
  const { activity, draft } = useLaunch()
  const wallet = useWallet()
  const { build, isRegistered } = draft
  if (build === null) return null
  const isDone = isLaunched(draft) && isRegistered
  const needsWallet = !isLaunched(draft)
  return html`<section aria-labelledby="launch-way">
    <h2 id="launch-way">${isDone ? `${draft.details.name} is launched` : "On its way"}</h2>
    <${LandingSteps} build=${build} isRegistered=${isRegistered} isRegistering=${activity === "registering"} />
    ${
      isDone
        ? html`<p>
            <a href=${`#/token/${build.mintAddress}`}>Open ${draft.details.symbol}</a>${" "}
            <button type="button" onClick=${() => discardDraft()}>Launch another token</button>
          </p>`
        : html`<p class="actions">
            <button
              type="button"
              class="main"
              disabled=${activity !== undefined}
              onClick=${() => void goOn(needsWallet ? wallet : undefined)}
            >
              Go on
            </button>
            ${
              needsWallet && wallet?.address !== build.signer
                ? html`<small>A signature that is missing takes wallet <code>${build.signer}</code>.</small>`
                : null
            }
          </p>`
    }
  </section>`
}

/** A token is launched: image, details, curve, first buy, cost, signature, registration. */
export const Launch = (): View => {
  const { activity, draft, failure, isKept, issues, notice } = useLaunch()
  const wallet = useWallet()
  // A service that wants wallets to sign writes takes the registration once there is one.
  useEffect(goOnByItself, [wallet?.address])
  const isWay = isUnderWay(draft)
  const isFixed = isWay || activity === "building" || activity === "landing"
  const isDone = isLaunched(draft) && draft.isRegistered
  const named = Object.keys(issues).length
  return html`<div class="launch">
    <div class="bar">
      <h1>Launch a token</h1>
      ${isDone ? null : html`<${StartAgain} />`}
    </div>
    ${isKept ? null : html`<p class="stale" role="status">This browser stores nothing: keep this page open until the token is launched.</p>`}
    ${isWay ? html`<${UnderWay} />` : null}
    <${ImageField} isFixed=${isFixed} />
    <${DetailsFields} isFixed=${isFixed} />
    <${CurveChoice} isFixed=${isFixed} />
    <${PaymentFields} isFixed=${isFixed} />
    ${isWay ? null : html`<${Deploy} />`}
    <div class="said">
      ${activity === undefined ? null : html`<p role="status"><span class="spinner" aria-hidden="true"></span>${ACTIVITIES[activity]} …</p>`}
      ${named === 0 ? null : html`<p class="issue" role="alert">${issues[""] ?? "Some fields need a change: see beside them"}</p>`}
      ${notice === undefined ? null : html`<p class="stale" role="status">${notice.replace(/\.$/, "")}.</p>`}
      ${failure === undefined ? null : html`<${Failed} failure=${failure} />`}
    </div>
  </div>`
}
