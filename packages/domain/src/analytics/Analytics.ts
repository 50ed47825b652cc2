import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { Launchpad } from "../tokens/Token.ts"

/** How far back from its end a range may begin, in days. */
export const ANALYTICS_DAYS_MAX = 366

const trades = field(Schema.Int, "Trades")
const traders = (of: string) =>
  field(Schema.Int, `Wallets that traded ${of}: exact up to some thousands, beyond that within about one in a hundred`)
const volume = field(
  Schema.String,
  "Sum of quoteAmount of these trades, in smallest units of the quote token, a decimal string",
)
const quoteMint = field(Address, "Mint of the quote token")
const launchpad = field(
  Schema.NullOr(Launchpad),
  "Launchpad that the token is registered with; null if it is not registered",
)

/** What the figures are of. */
export const HistoryReach = Schema.Struct({
  toSlot: field(
    Schema.NullOr(Schema.String),
    "Every proven trade up to this slot is counted, and none after it, a decimal string; null while there is none",
  ),
  sentAt: field(Schema.NullOr(Timestamp), "When trades were last sent to history; null if they never were"),
}).annotate({ identifier: "HistoryReach", description: "How far the history reaches that figures are of" })
export type HistoryReach = typeof HistoryReach.Encoded

export const VolumeOfDay = Schema.Struct({
  day: field(Timestamp, "Start of the day, in UTC"),
  launchpad,
  quoteMint,
  trades,
  traders: traders("on that day"),
  volume,
}).annotate({
  identifier: "VolumeOfDay",
  description: "What was traded on a day of the tokens of a launchpad with one quote token",
})
export type VolumeOfDay = typeof VolumeOfDay.Encoded

export const VolumeReport = Schema.Struct({
  days: field(Schema.Array(VolumeOfDay), "Oldest first, and of a day those with most trades first, at most 20"),
  history: HistoryReach,
}).annotate({ identifier: "VolumeReport", description: "Volume by day, launchpad and quote token" })
export type VolumeReport = typeof VolumeReport.Encoded

/** What tokens are ranked by. */
export const TokenRankingSort = Schema.Literals(["volume", "trades", "traders"])
export type TokenRankingSort = typeof TokenRankingSort.Type

export const RankedToken = Schema.Struct({
  mintAddress: field(Address, "Mint of the token"),
  quoteMint,
  launchpad,
  trades,
  traders: traders("the token"),
  volume,
  lastTradeAt: field(Timestamp, "Block time of the last of these trades"),
}).annotate({ identifier: "RankedToken", description: "A token with what was traded of it in a range of time" })
export type RankedToken = typeof RankedToken.Encoded

export const TokenRanking = Schema.Struct({
  tokens: field(Schema.Array(RankedToken), "The first is the one with most"),
  history: HistoryReach,
}).annotate({ identifier: "TokenRanking", description: "The most traded tokens of a range of time" })
export type TokenRanking = typeof TokenRanking.Encoded

export const RankedTrader = Schema.Struct({
  trader: field(Address, "Wallet that traded"),
  quoteMint,
  trades,
  tokens: field(
    Schema.Int,
    "Tokens that it traded: exact up to some thousands, beyond that within about one in a hundred",
  ),
  volume,
  bought: field(Schema.String, "Part of volume that was paid for tokens, a decimal string"),
  sold: field(Schema.String, "Part of volume that was received for tokens, a decimal string"),
  lastTradeAt: field(Timestamp, "Block time of the last of these trades"),
}).annotate({ identifier: "RankedTrader", description: "A wallet with what it traded in a range of time" })
export type RankedTrader = typeof RankedTrader.Encoded

export const TraderRanking = Schema.Struct({
  traders: field(Schema.Array(RankedTrader), "The first is the one with most volume"),
  history: HistoryReach,
}).annotate({ identifier: "TraderRanking", description: "The wallets that traded most in a range of time" })
export type TraderRanking = typeof TraderRanking.Encoded
