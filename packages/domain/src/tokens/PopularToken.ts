import { Schema } from "effect"
import { DecimalText } from "../amounts/Decimal.ts"
import { field } from "../http/Field.ts"
import { Token } from "./Token.ts"

/** What a popular token is ranked by, over the interval; 0 where there is nothing. */
const Ranking = Schema.Struct({
  traders: field(Schema.Int, "Distinct wallets that traded the token on its curve, as indexed"),
  trades: field(Schema.Int, "Indexed trades"),
  quoteVolume: field(DecimalText, "Volume of the indexed trades, in smallest units of the quote token"),
  recordedTraders: field(Schema.Int, "Distinct users of BUY and SELL records that Solana has confirmed"),
  recordedTrades: field(Schema.Int, "BUY and SELL records that Solana has confirmed"),
  recordedVolume: field(
    DecimalText,
    "Volume of these records that the chain shows as swaps of their users on the launch's pool in its quote token, in whole tokens of that",
  ),
}).annotate({
  identifier: "Ranking",
  description:
    "What the token is ranked by, over the interval: by `traders`, `quoteVolume`, `recordedTraders`, `recordedVolume`, then the newest first",
})
export type Ranking = typeof Ranking.Type

/** A token in the list of popular ones. */
export const PopularToken = Schema.Struct({ ...Token.fields, ranking: Schema.optionalKey(Ranking) }).annotate({
  identifier: "PopularToken",
  description: "A registered token, with what was asked for in `include`",
})
export type PopularToken = typeof PopularToken.Type
