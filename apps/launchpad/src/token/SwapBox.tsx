import type { QuoteRequest, SwapQuote } from "@launch-registry/client"
import { useAnswer } from "@launch-registry/client/react"
import { useEffect, useId, useRef, useState } from "react"
import { Button } from "../design/Button.tsx"
import { useSettled } from "../design/useSettled.ts"
import { Segments } from "../design/Segments.tsx"
import { Figure } from "../figures/Figure.tsx"
import { formatDecimal, wholeAmount } from "../figures/Format.ts"
import { NETWORK } from "../registry/Connection.ts"
import { ConnectButtons } from "../wallet/ConnectButtons.tsx"
import { GetSol } from "../wallet/GetSol.tsx"
import { useWallets } from "../wallet/WalletProvider.tsx"
import { QuoteLines, type SideToken } from "./QuoteLines.tsx"
import styles from "./Swap.module.css"
import { runSwap, type SwapState } from "./SwapRun.ts"
import { DEFAULTS, feeOf, SwapSettings } from "./SwapSettings.tsx"
import { SwapSteps } from "./SwapSteps.tsx"
import { mostOf, refusalText, slippageOf, typedAmount } from "./SwapWords.ts"
import { useBalances } from "./useBalances.ts"

/** Amounts of SOL that are bought for at a press. */
const QUICK = ["0.1", "0.5", "1", "5"]
const SHARES = [25n, 50n, 75n]
const TYPING_MILLIS = 250
const AGAIN_MILLIS = 5_000
const BUSY = new Set(["building", "signing", "sending", "pending", "processed"])
const SIDES = [
  ["buy", "Buy"],
  ["sell", "Sell"],
] as const

/** What can be pressed instead of typed: amounts to buy for, parts of what is held to sell. */
const picksOf = (isSale: boolean, { decimals, name }: SideToken, most: bigint | undefined) => {
  const part = (percent: bigint) => wholeAmount(String((most! * percent) / 100n), decimals)
  const max = most === undefined || most === 0n ? [] : [["Max", part(100n)] as const]
  if (!isSale) return [...(name === "SOL" ? QUICK.map((one) => [one, one] as const) : []), ...max]
  return max.length === 0 ? [] : [...SHARES.map((percent) => [`${percent}%`, part(percent)] as const), ...max]
}

/** A quote of what was typed, once it is typed, and of now while it is looked at. */
const useQuote = (asked: QuoteRequest | undefined) => {
  const key = JSON.stringify(asked)
  const settled = useSettled(key, TYPING_MILLIS)
  const isSettled = key === settled
  const { data, error } = useAnswer(
    ({ launch }) => launch.quote,
    { body: asked! },
    { enabled: asked !== undefined && isSettled, refetchInterval: AGAIN_MILLIS },
  )
  const last = useRef<SwapQuote>(undefined)
  if (asked === undefined) last.current = undefined
  // One that is typed over stays in its place, dimmed, until there is the next.
  if (asked === undefined || !isSettled) return { shown: last.current, isOld: true, problem: undefined }
  last.current = error === null ? (data?.data ?? last.current) : undefined
  const problem = error === null ? undefined : refusalText(error.refusal)
  return { shown: last.current, isOld: data === undefined, problem }
}

/** What is entered and under way, which outlives the box: a phone that is turned has another one. */
export const useEntered = () => {
  const [typed, setTyped] = useState("")
  const [settings, setSettings] = useState(DEFAULTS)
  const [state, setState] = useState<SwapState>()
  const running = useRef(new AbortController())
  useEffect(() => () => running.current.abort(), [])
  return { typed, setTyped, settings, setSettings, state, setState, running }
}

/** Buys or sells a token by the connected wallet, on its curve or in the pool that it graduated to. */
export const SwapBox = ({
  base,
  entered: { running, setSettings, setState, setTyped, settings, state, typed },
  isSale,
  onSide,
  quote: quoteToken,
}: {
  readonly base: SideToken
  readonly quote: SideToken
  readonly entered: ReturnType<typeof useEntered>
  readonly isSale: boolean
  readonly onSide: (isSale: boolean) => void
}) => {
  const id = useId()
  const { wallet } = useWallets()
  const balances = useBalances(wallet?.address, base.mint, quoteToken.mint)

  const [paid, received] = isSale ? [base, quoteToken] : [quoteToken, base]
  const held = isSale ? balances.base : balances.quote
  const most = held === undefined ? undefined : !isSale && paid.name === "SOL" ? mostOf(held) : BigInt(held)
  const { amount, problem } = typedAmount(typed, paid.decimals)
  const isShort = amount !== undefined && held !== undefined && BigInt(amount) > BigInt(held)
  const slippageBps = slippageOf(settings.slippage)
  const asked: QuoteRequest | undefined =
    amount === undefined || isShort || slippageBps === undefined
      ? undefined
      : { mintAddress: base.mint, amount, slippageBps, swapBaseForQuote: isSale }
  const quoted = useQuote(asked)
  const quote = quoted.isOld ? undefined : quoted.shown
  const isBusy = state !== undefined && BUSY.has(state.step)
  const warning =
    problem ??
    (slippageBps === undefined
      ? "Slippage is a percentage from 0 to 100"
      : isShort
        ? `The wallet has ${formatDecimal(wholeAmount(held, paid.decimals))} ${paid.name}`
        : quoted.problem)

  const typeIn = (text: string) => {
    setTyped(text)
    if (!isBusy) setState(undefined)
  }
  const swap = () => {
    if (asked === undefined || quote === undefined || wallet === undefined || isBusy) return
    // What follows an older swap until it is finalized makes room for this one.
    running.current.abort()
    running.current = new AbortController()
    const { signal } = running.current
    const show = (next: SwapState) => {
      if (signal.aborted) return
      setState(next)
      if (next.step === "confirmed") setTyped("")
      if (next.step === "confirmed" || next.step === "finalized") balances.again()
    }
    const order = {
      ...{ asked, signer: wallet.address, sign: wallet.sign, symbol: base.name },
      ...{ fee: feeOf(settings), minimumShown: quote.minimumAmountOut },
    }
    runSwap(order, show, signal).catch((error: unknown) => show({ step: "unknown", reasons: [String(error)] }))
  }
  return (
    <form
      className={`stack ${styles.swap}`}
      autoComplete="off"
      aria-label="Swap"
      onSubmit={(event) => {
        event.preventDefault()
        swap()
      }}
    >
      <fieldset className={`stack ${styles.order}`} disabled={isBusy}>
        <legend className="hidden">What is swapped</legend>
        <div className={styles.sides}>
          <Segments
            label="Side"
            options={SIDES}
            value={isSale ? "sell" : "buy"}
            onChange={(side) => {
              onSide(side === "sell")
              typeIn("")
            }}
          />
        </div>
        <div className={styles.row}>
          <label htmlFor={id}>You pay</label>
          {held !== undefined && (
            <span className="muted">
              You have <Figure value={wholeAmount(held, paid.decimals)} format={formatDecimal} unit={paid.name} />
            </span>
          )}
        </div>
        <div className={styles.field}>
          <input
            id={id}
            name="amount"
            inputMode="decimal"
            maxLength={40}
            placeholder="0.0"
            value={typed}
            aria-describedby={`${id}-problem`}
            aria-invalid={problem !== undefined || isShort}
            onChange={(event) => typeIn(event.target.value)}
          />
          <b>{paid.name}</b>
        </div>
        <div className={styles.picks}>
          {picksOf(isSale, paid, most).map(([text, value]) => (
            <Button key={text} onClick={() => typeIn(value)}>
              {text}
            </Button>
          ))}
        </div>
      </fieldset>
      <p id={`${id}-problem`} className={`down ${styles.problem}`} role="alert">
        {warning}
      </p>
      {quoted.shown !== undefined && (
        <QuoteLines quote={quoted.shown} isOld={quoted.isOld} paid={paid} received={received} />
      )}
      <SwapSettings settings={settings} onChange={setSettings} />
      {wallet === undefined ? (
        <>
          <p>Connect a wallet to swap</p>
          <ConnectButtons />
        </>
      ) : (
        <Button type="submit" isWide look={isSale ? "sell" : "buy"} disabled={quote === undefined || isBusy}>
          {isSale ? `Sell ${base.name}` : `Buy ${base.name}`}
        </Button>
      )}
      {wallet !== undefined && balances.lamports === "0" && (
        <>
          <p>
            <b>The wallet has no SOL.</b> Fees and new accounts take some: send SOL of {NETWORK} to it first.
          </p>
          <GetSol address={wallet.address} />
        </>
      )}
      {state !== undefined && <SwapSteps state={state} />}
    </form>
  )
}
