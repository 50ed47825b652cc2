import { lazy, Suspense, useEffect, useMemo, useState } from "react"
import { brand } from "../../brand.ts"
import { Segments } from "../design/Segments.tsx"
import { tokenUnit, unitOf } from "../figures/Format.ts"
import { Unread } from "../registry/Unread.tsx"
import { hrefOf } from "../routing/Route.ts"
import { Curve } from "./Curve.tsx"
import { Figures } from "./Figures.tsx"
import { Head } from "./Head.tsx"
import { HolderList } from "./HolderList.tsx"
import { Swap } from "./Swap.tsx"
import styles from "./Token.module.css"
import { type TokenEvents, useTokenEvents } from "./TokenEvents.ts"
import { tradedMarket } from "./TradedMarket.ts"
import { TradeList } from "./TradeList.tsx"
import { Trust } from "./Trust.tsx"
import { type TokenFacts, useToken } from "./useToken.ts"
import { useTrades } from "./useTrades.ts"

const Chart = lazy(() => import("./Chart.tsx"))

/** Base58 of 32 bytes has this length; the registry decodes it. */
const MINT = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/

const LISTS = [
  ["trades", "Trades"],
  ["holders", "Holders"],
] as const

const Known = ({ events, facts }: { readonly facts: TokenFacts; readonly events: TokenEvents }) => {
  const { creator, decimals, launch, mint, quoteDecimals } = facts
  const trades = useTrades(mint, events)
  const [list, setList] = useState<"trades" | "holders">("trades")
  const { newest } = trades
  const market = facts.market === null ? null : tradedMarket(facts.market, newest)
  const unit = unitOf(launch?.quoteMint ?? null)
  const symbol = tokenUnit(facts.symbol, mint)
  const units = useMemo(
    () => ({ unit, symbol, creator, decimals: decimals ?? 0, quoteDecimals: quoteDecimals ?? 0 }),
    [unit, symbol, creator, decimals, quoteDecimals],
  )
  const areUnitsKnown = decimals !== null && quoteDecimals !== null
  return (
    <div className={styles.page}>
      <div className={`stack ${styles.main}`}>
        <Head facts={facts} isLive={events.isLive} />
        {market !== null && <Figures market={market} unit={unit} launchedAt={launch?.launchedAt ?? ""} />}
        {launch === undefined ? (
          <p className="empty">It is registered and has no pool yet. This page shows the pool when there is one.</p>
        ) : !areUnitsKnown ? (
          <p className="empty">The decimals of its tokens are not known yet, so it cannot be shown or traded here.</p>
        ) : (
          <>
            <Suspense fallback={<div className={`surface ${styles.placeholder}`} />}>
              <Chart events={events} launch={launch} units={units} />
            </Suspense>
            <section className={`surface stack ${styles.lists}`} aria-label="Trades and holders">
              <Segments label="List" value={list} options={LISTS} onChange={setList} />
              {list === "trades" ? (
                <TradeList trades={trades} units={units} />
              ) : (
                <HolderList mint={mint} creator={creator} decimals={decimals} supply={launch.totalSupply} />
              )}
            </section>
          </>
        )}
      </div>
      <aside className={`stack ${styles.aside}`}>
        {launch !== undefined && areUnitsKnown && launch.stage !== "completed" && (
          <Swap
            base={{ mint, name: symbol, decimals }}
            quote={{ mint: launch.quoteMint, name: unit, decimals: quoteDecimals }}
          />
        )}
        {market !== null && <Curve market={market} graduatedAt={launch?.graduatedAt ?? null} unit={unit} />}
        <Trust mint={mint} />
      </aside>
    </div>
  )
}

const Unknown = ({ text }: { readonly text: string }) => (
  <div className="empty">
    <p>{text}</p>
    <a href={hrefOf("")}>To the board</a>
  </div>
)

const Sought = ({ mint }: { readonly mint: string }) => {
  const { again, error, facts } = useToken(mint)
  const events = useTokenEvents(mint)
  const { subscribe } = events
  // A launch that is not there yet, a graduation, what was rolled back.
  useEffect(() => subscribe({ onChange: again }), [subscribe, again])
  const symbol = facts?.symbol ?? ""
  useEffect(() => {
    if (symbol !== "") document.title = `${symbol} · ${brand.name}`
    return () => {
      document.title = brand.name
    }
  }, [symbol])
  if (facts !== undefined) return <Known facts={facts} events={events} />
  if (error?.code === "not_found") return <Unknown text={`Nobody here knows a token at ${mint}.`} />
  return (
    <Unread error={error} onRetry={again}>
      Reading the token
    </Unread>
  )
}

/** One token: what it is, its chart, trades, holders and what to know of it, and swaps. */
const Token = ({ mint }: { readonly mint: string }) =>
  MINT.test(mint) ? <Sought mint={mint} /> : <Unknown text="This is not the address of a mint." />
export default Token
