import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Market } from "../pools/Market.ts"
import { PoolFee } from "../pools/PoolFees.ts"
import { PAID_OR_GOT } from "../pools/PoolTrade.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { Token } from "../tokens/Token.ts"

/** Newest trades of a wallet that are looked through. */
export const WALLET_TRADES_MAX = 5_000
/** Newest launches of a wallet that are looked through. */
export const WALLET_LAUNCHES_MAX = 1_000

const amount = (token: "base" | "quote", what: string) =>
  field(Schema.String, `${what}, in smallest units of the ${token} token, a decimal string`)

const Traded = Schema.Struct({
  baseAmount: amount("base", `Base tokens that the wallet ${PAID_OR_GOT}`),
  quoteAmount: amount("quote", `Quote tokens that the wallet ${PAID_OR_GOT}`),
}).annotate({ identifier: "WalletTraded", description: "What a wallet has traded of a token in one direction" })

/** A registered token that a wallet has traded or launched. */
export const WalletToken = Schema.Struct({
  mintAddress: field(Address, "Mint of the token"),
  token: Token,
  market: field(Market, "Figures of its market: price, change, market cap"),
  decimals: field(
    Schema.NullOr(Schema.Int),
    "Decimals of the token: a whole one has 10^decimals smallest units; null while they are not known",
  ),
  isCreator: field(Schema.Boolean, "Whether the wallet is the creator of the pool, as indexed"),
  amount: field(
    Schema.NullOr(Schema.String),
    "What the wallet's associated token account holds, in smallest units of the token, a decimal string; 0 without that account, null if the chain could not be read",
  ),
  value: field(
    Schema.NullOr(Schema.String),
    "amount at the price after the last trade, in whole quote tokens, a decimal string; null while either is not known",
  ),
  valueUsd: field(
    Schema.NullOr(Schema.String),
    "The same in US dollars; null while it, or the price of the quote token in dollars, is not known. `market.usdAsOf` and `usdStale` say how old that price is",
  ),
  trades: field(Schema.Int, "Trades of the token among those of the wallet that were looked through"),
  bought: field(Traded, "Sum of those that bought"),
  sold: field(Traded, "Sum of those that sold"),
  lastTradeAt: field(Schema.NullOr(Timestamp), "Block time of the last of them; null without one"),
  claimable: field(
    Schema.NullOr(Schema.Array(PoolFee)),
    "What the wallet can claim of the pool now, as creator, partner or receiver of the leftover, read at `wallet.slot`; null if that could not be read. Fees of positions in a DAMM v2 pool are not among them: GET /api/launch/pool/{mintAddress}/fees has these too",
  ),
}).annotate({
  identifier: "WalletToken",
  description: "A registered token that a wallet has traded or launched: what it holds of it, and can claim",
})
export type WalletToken = typeof WalletToken.Encoded

/** What was looked through for the tokens of a wallet. */
export const WalletFigures = Schema.Struct({
  address: field(Address, "Wallet of the request"),
  launches: field(Schema.Int, "Pools that were looked through of which it is the creator, registered or not"),
  trades: field(Schema.Int, "Trades of it that were looked through, of any pool"),
  isWhole: field(
    Schema.Boolean,
    `false: tokens may be missing, and sums are of the newest trades: it has more than ${WALLET_TRADES_MAX} trades or ${WALLET_LAUNCHES_MAX} launches, or old trades have left the index for the history`,
  ),
  slot: field(
    Schema.NullOr(Schema.String),
    "Slot at which amounts and fees were read, a decimal string; null if they were not, or the page has no tokens",
  ),
  unread: field(
    Schema.NullOr(Schema.Literals(["chain_unavailable"])),
    "Why amounts and fees are null. chain_unavailable: the chain cannot be asked at the moment; null if they were read",
  ),
  links: field(
    Schema.Struct({
      launches: field(Schema.String, "Path of the list of its launches, registered or not"),
      trades: field(Schema.String, "Path of the list of its trades"),
      claims: field(Schema.String, "Path of the list of its claims"),
      figures: field(Schema.String, "Path of what it has launched and earned"),
    }).annotate({ identifier: "WalletLinks", description: "Lists of a wallet" }),
    "Lists of the wallet",
  ),
}).annotate({ identifier: "WalletFigures", description: "What was looked through for the tokens of a wallet" })
export type WalletFigures = typeof WalletFigures.Encoded
