import type { Launch, Trade } from "@launch-registry/client"
import { useAnswer, useItems } from "@launch-registry/client/react"
import { Ago } from "../figures/Ago.tsx"
import { Figure } from "../figures/Figure.tsx"
import { formatCompact, formatDecimal, shortAddress, unitOf, wholeAmount } from "../figures/Format.ts"
import { Unread } from "../registry/Unread.tsx"
import { Named, type TokenRow, TokenRows } from "./TokenRows.tsx"

/** As many launches are asked for by their mints. */
const MINTS_MAX = 100

const whole = (amount: string, decimals: number | null | undefined): string | null =>
  decimals === null || decimals === undefined ? null : wholeAmount(amount, decimals)

const rowOf = (of: Trade, launch: Launch | undefined): TokenRow => {
  const { baseAmount, mintAddress, price, quoteAmount, quoteMint, side, signature, time } = of
  const unit = unitOf(quoteMint)
  const isBuy = side === "BUY"
  const symbol = launch?.symbol ?? shortAddress(mintAddress)
  return {
    ...{ key: `${signature} ${mintAddress} ${side} ${baseAmount}`, mint: mintAddress, symbol },
    imageUri: launch?.market?.imageUri ?? launch?.document?.image,
    main: [
      <b>
        <span className={isBuy ? "up" : "down"}>{isBuy ? "Bought" : "Sold"}</span> <span dir="auto">{symbol}</span>
      </b>,
      <Figure value={whole(baseAmount, launch?.decimals)} format={formatCompact} />,
    ],
    middle: [
      <Named name="Price">
        <Figure value={price} format={formatDecimal} unit={unit} />
      </Named>,
      <small className="muted">per token</small>,
    ],
    end: [
      <Named name={isBuy ? "Paid" : "Received"}>
        <b>
          <Figure value={whole(quoteAmount, launch?.market?.quoteDecimals)} format={formatDecimal} unit={unit} />
        </b>
      </Named>,
      <Ago time={time} />,
    ],
  }
}

/** Trades of a wallet, newest first. */
export const WalletTrades = ({ address }: { readonly address: string }) => {
  const trades = useItems(({ launch }) => launch.listTrades, { trader: address, limit: 25 })
  const mints = [...new Set(trades.data?.map(({ mintAddress }) => mintAddress))].slice(0, MINTS_MAX)
  const launches = useAnswer(
    ({ launch }) => launch.pools,
    { mintAddresses: mints, registered: "any", include: "market", limit: MINTS_MAX },
    { enabled: mints.length > 0 },
  )
  if (trades.data === undefined) return <Unread error={trades.error} onRetry={trades.refetch} />
  const byMint = new Map(launches.data?.data.map((launch) => [launch.mintAddress, launch]))
  return (
    <TokenRows
      label="Trades"
      rows={trades.data.map((trade) => rowOf(trade, byMint.get(trade.mintAddress)))}
      empty="No trade of this wallet is indexed."
      more={trades.hasNextPage ? () => void trades.fetchNextPage() : undefined}
    />
  )
}
