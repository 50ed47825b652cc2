import { useEffect, useRef, useState } from "preact/hooks"
import { unitOf } from "../Format.ts"
import { html, type View } from "../Html.ts"
import { Empty, Failed, Loading, Stale } from "../States.ts"
import { useWallet } from "../wallet/Wallet.ts"
import { ChartPanel } from "./ChartPanel.ts"
import { completionOf } from "./Completion.ts"
import { type LiveTrades, liveTrades, NO_TRADES } from "./LiveTrades.ts"
import { figuresOf, MarketPanel } from "./Market.ts"
import { CurvePanel, HoldersPanel, TrustPanel } from "./Panels.ts"
import { type Reading, useReading } from "./Reading.ts"
import { SwapBox } from "./SwapBox.ts"
import { type TokenEvents, tokenEvents } from "./TokenEvents.ts"
import { isAddress, readFacts, type TokenFacts, type TokenPool } from "./TokenFacts.ts"
import { TokenHead } from "./TokenHead.ts"
import { TradeList } from "./TradeList.ts"

const EVERY_MILLIS = 30_000

/** What needs a pool: chart, trades, market, swaps. */
const Trading = ({
  again,
  events,
  facts,
  mint,
  pool,
}: {
  readonly mint: string
  readonly facts: TokenFacts
  readonly pool: TokenPool
  readonly events: TokenEvents
  readonly again: () => void
}): View => {
  const [trades, setTrades] = useState(NO_TRADES)
  const live = useRef<LiveTrades>(undefined)
  const wallet = useWallet()
  useEffect(() => {
    const started = liveTrades(mint, events, setTrades)
    live.current = started
    return started.stop
  }, [mint, events])
  // What was read says neither of these before it is read again.
  useEffect(() => events.subscribe({ onStage: again, onReverted: again }), [events])
  const { config, quoteDecimals, state } = pool
  const market = facts.token?.market ?? null
  const unit = unitOf(state.quoteMint)
  const symbol = facts.token?.symbol ?? "the token"
  const units = useRef({ unit, symbol, baseDecimals: config.tokenDecimal, quoteDecimals })
  if (units.current.symbol !== symbol || units.current.unit !== unit)
    units.current = { unit, symbol, baseDecimals: config.tokenDecimal, quoteDecimals }
  return html`<div class="columns">
    <div>
      <${ChartPanel}
        ...${{ mint, symbol, unit, quoteDecimals, events }}
        hasUsd=${typeof market?.priceUsd === "string"}
        completion=${completionOf(state)}
      />
      <section aria-labelledby="trades">
        <h2 id="trades">Trades</h2>
        <${TradeList}
          shown=${trades}
          units=${units.current}
          onMore=${() => live.current?.more()}
          onRetry=${() => live.current?.retry()}
        />
      </section>
    </div>
    <div>
      <${MarketPanel} figures=${figuresOf(pool, market, trades.newest)} market=${market} pool=${pool} unit=${unit} />
      <${SwapBox}
        base=${{ mint, name: symbol, decimals: config.tokenDecimal }}
        quote=${{ mint: state.quoteMint, name: unit, decimals: quoteDecimals }}
        newest=${trades.newest?.signature}
        wallet=${wallet}
      />
      <${TrustPanel} mint=${mint} />
      <${HoldersPanel} mint=${mint} decimals=${config.tokenDecimal} />
      <${CurvePanel} pool=${pool} unit=${unit} />
    </div>
  </div>`
}

/** A registered token that has no pool yet, or whose pool cannot be read now. */
const WithoutPool = ({
  again,
  facts,
  mint,
}: {
  readonly mint: string
  readonly facts: TokenFacts
  readonly again: () => void
}): View =>
  html`${
      facts.poolFailure === undefined
        ? html`<${Empty}
            >It is registered and has no pool yet: there is nothing to trade. This page shows the pool when there is
            one.<//
          >`
        : html`<${Failed} failure=${facts.poolFailure} onRetry=${again} />`
    }
    <${TrustPanel} mint=${mint} />
    <${HoldersPanel} mint=${mint} decimals=${facts.token?.decimals ?? null} />`

const Known = ({
  events,
  facts,
  mint,
  reading,
}: {
  readonly mint: string
  readonly facts: TokenFacts
  readonly events: TokenEvents
  readonly reading: Reading<TokenFacts | null>
}): View => {
  const [isLive, setLive] = useState(false)
  useEffect(() => events.subscribe({ onLive: setLive, onMissing: reading.again }), [events])
  return html`<${Stale} isLive=${isLive} readAt=${reading.readAt} failure=${reading.failure} />
    <${TokenHead} facts=${facts} mint=${mint} />
    ${
      facts.pool === null
        ? html`<${WithoutPool} facts=${facts} mint=${mint} again=${reading.again} />`
        : html`<${Trading} facts=${facts} pool=${facts.pool} mint=${mint} events=${events} again=${reading.again} />`
    }`
}

const Sought = ({ mint }: { readonly mint: string }): View => {
  const reading = useReading(mint, (signal) => readFacts(mint, signal), EVERY_MILLIS)
  const [events, setEvents] = useState<TokenEvents>()
  useEffect(() => {
    const started = tokenEvents(mint)
    setEvents(started)
    return started.stop
  }, [mint])
  const { again, data, failure } = reading
  const symbol = data?.token?.symbol
  useEffect(() => {
    if (symbol !== undefined) document.title = `${symbol} · Token Launch Registry`
  }, [symbol])
  if (data === null)
    return html`<${Empty}
      >Neither this registry nor its index knows a token at <code>${mint}</code>.
      <a href="#/board">Go to the board</a><//
    >`
  if (data !== undefined && events !== undefined)
    return html`<${Known} mint=${mint} facts=${data} events=${events} reading=${reading} />`
  if (failure !== undefined) return html`<${Failed} failure=${failure} onRetry=${again} />`
  return html`<${Loading} what="Reading the token" />`
}

/** One token: its chart, trades, market, what to know of it, and swaps. */
export const Token = ({ mint }: { readonly mint: string }): View =>
  isAddress(mint)
    ? html`<${Sought} mint=${mint} />`
    : html`<${Empty}>This is not the address of a mint. <a href="#/board">Go to the board</a><//>`
