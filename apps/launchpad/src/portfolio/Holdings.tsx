import type { WalletToken } from "@launch-registry/client"
import { Change, Figure } from "../figures/Figure.tsx"
import { formatCompact, formatDecimal, unitOf, wholeAmount } from "../figures/Format.ts"
import { Named, type TokenRow, TokenRows } from "./TokenRows.tsx"
import { held, resultOf } from "./Worth.ts"

const rowOf = (of: WalletToken, areAllTradesKnown: boolean): TokenRow => {
  const { amount, decimals, market, mintAddress, token, value, valueUsd } = of
  const unit = unitOf(market.quoteMint)
  const result = areAllTradesKnown ? resultOf(of) : null
  const whole = amount === null || decimals === null ? null : wholeAmount(amount, decimals)
  return {
    ...{ key: mintAddress, mint: mintAddress, symbol: token.symbol, imageUri: market.imageUri },
    main: [
      <span dir="auto">
        <b>{token.symbol}</b> <small className="muted">{token.name}</small>
      </span>,
      <Figure value={whole} format={formatCompact} />,
    ],
    middle: [
      <Named name="Price">
        <Figure value={market.price} format={formatDecimal} unit={unit} />
      </Named>,
      <>
        <Change percent={market.priceChange24h} /> <small className="muted">24 h</small>
      </>,
    ],
    end: [
      <Named name="Value">
        <b>
          <Figure value={valueUsd ?? value} format={formatDecimal} unit={valueUsd === null ? unit : "$"} />
        </b>
      </Named>,
      result !== null && (
        <span className={result.startsWith("-") ? "down" : "up"} title="Value and sales, less purchases">
          <Named name="Result">
            {!result.startsWith("-") && "+"}
            <Figure value={result} format={formatDecimal} unit={unit} />
          </Named>
        </span>
      ),
    ],
  }
}

/** Tokens that a wallet holds. */
export const Holdings = ({
  areAllTradesKnown,
  more,
  tokens,
}: {
  readonly tokens: ReadonlyArray<WalletToken>
  readonly areAllTradesKnown: boolean
  readonly more: (() => void) | undefined
}) => (
  <TokenRows
    label="Holdings"
    rows={held(tokens).map((token) => rowOf(token, areAllTradesKnown))}
    empty="This wallet holds no registered token that it has traded."
    more={more}
  />
)
