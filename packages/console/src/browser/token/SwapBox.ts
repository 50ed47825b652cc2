import { useEffect, useRef, useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import type { Wallet } from "../wallet/Wallet.ts"
import { type QuoteAsked, useQuote } from "./Quote.ts"
import { QuoteLines, type SideToken } from "./QuoteLines.ts"
import { lookAgain, runSwap, type SwapState } from "./SwapRun.ts"
import { SwapSteps } from "./SwapSteps.ts"
import { slippageOf, typedAmount } from "./SwapWords.ts"

const PRIORITIES = [
  ["", "of the service"],
  ["none", "none"],
  ["low", "low"],
  ["medium", "medium"],
  ["high", "high"],
] as const

type Change = { readonly currentTarget: HTMLInputElement | HTMLSelectElement }
const BUSY = new Set(["building", "signing", "landing"])

/** Buys or sells the token, by the connected wallet. */
export const SwapBox = ({
  base,
  newest,
  quote: quoteToken,
  wallet,
}: {
  readonly base: SideToken
  readonly quote: SideToken
  /** Signature of the last trade, after which a quote is old. */
  readonly newest: string | undefined
  readonly wallet: Wallet | undefined
}): View => {
  const [isSale, setSale] = useState(false)
  const [typed, setTyped] = useState("")
  const [slippage, setSlippage] = useState("1")
  const [priorityFee, setPriorityFee] = useState("")
  const [state, setState] = useState<SwapState>()
  const ended = useRef(new AbortController())
  useEffect(() => () => ended.current.abort(), [])

  const [paid, received] = isSale ? [base, quoteToken] : [quoteToken, base]
  const { amount, problem } = typedAmount(typed, paid.decimals)
  const slippageBps = slippageOf(slippage)
  const asked: QuoteAsked | undefined =
    amount === undefined || slippageBps === undefined
      ? undefined
      : { mintAddress: base.mint, amount, slippageBps, swapBaseForQuote: isSale }
  const quoted = useQuote(asked, newest)
  const isBusy = state !== undefined && BUSY.has(state.step)

  const change = (set: (text: string) => void) => (event: Change) => {
    set(event.currentTarget.value)
    if (!isBusy) setState(undefined)
  }
  const sideTo = (sale: boolean): void => {
    setSale(sale)
    setTyped("")
    if (!isBusy) setState(undefined)
  }
  const failed = (error: unknown): void => {
    if (!ended.current.signal.aborted) setState({ step: "unknown", reason: String(error), signature: undefined })
  }
  const swap = (event: Event): void => {
    event.preventDefault()
    if (asked === undefined || quoted.quote === undefined || wallet === undefined || isBusy) return
    const order = {
      ...{ asked, signer: wallet.address, sign: wallet.sign, minimumShown: quoted.quote.minimumAmountOut },
      priorityFee: priorityFee === "" ? undefined : priorityFee,
    }
    runSwap(order, setState, ended.current.signal).catch(failed)
  }
  const look = (signature: string): void => {
    lookAgain(signature, setState, ended.current.signal).catch(failed)
  }
  const warning = problem ?? (slippageBps === undefined ? "Slippage is a percentage from 0 to 100" : quoted.problem)
  const action = isSale ? `Sell ${base.name}` : `Buy ${base.name}`
  return html`<section aria-labelledby="swap" class="swap">
    <h2 id="swap">Swap</h2>
    <form onSubmit=${swap} autocomplete="off">
      <div class="choice" role="group" aria-label="Side">
        <button type="button" aria-pressed=${!isSale} disabled=${isBusy} onClick=${() => sideTo(false)}>Buy</button>
        <button type="button" aria-pressed=${isSale} disabled=${isBusy} onClick=${() => sideTo(true)}>Sell</button>
      </div>
      <label
        >You pay, in ${paid.name}
        <input
          name="amount"
          inputmode="decimal"
          maxlength="40"
          placeholder="0.0"
          value=${typed}
          disabled=${isBusy}
          aria-describedby="swap-problem"
          aria-invalid=${problem !== undefined}
          onInput=${change(setTyped)}
        />
      </label>
      <label
        >Slippage at most, in %
        <input
          name="slippage"
          inputmode="decimal"
          maxlength="6"
          list="slippages"
          value=${slippage}
          disabled=${isBusy}
          onInput=${change(setSlippage)}
        />
        <datalist id="slippages">
          ${["0.5", "1", "3", "10"].map((one) => html`<option value=${one}></option>`)}
        </datalist>
      </label>
      <label
        >Priority fee
        <select name="priority" value=${priorityFee} disabled=${isBusy} onChange=${change(setPriorityFee)}>
          ${PRIORITIES.map(([value, name]) => html`<option value=${value}>${name}</option>`)}
        </select>
      </label>
      <p id="swap-problem" class="problem" role="alert">${warning}</p>
      ${
        quoted.quote === undefined
          ? quoted.isAsking
            ? html`<p class="detail" role="status">Asking for a quote …</p>`
            : null
          : html`<${QuoteLines} quote=${quoted.quote} paid=${paid} received=${received} isOld=${quoted.isAsking} />`
      }
      <button class="go" disabled=${wallet === undefined || quoted.quote === undefined || isBusy}>${action}</button>
      ${wallet === undefined ? html`<p class="detail">Connect a wallet, above, to swap.</p>` : null}
    </form>
    ${state === undefined ? null : html`<${SwapSteps} state=${state} onLook=${look} />`}
  </section>`
}
