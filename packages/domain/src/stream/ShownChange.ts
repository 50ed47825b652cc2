import { Context, type Effect, Schema } from "effect"
import type { SqlError } from "effect/sql"
import { field } from "../http/Field.ts"
import { Launch } from "../launch/Launch.ts"
import { PoolTrade, TradeUsd } from "../pools/PoolTrade.ts"
import { IndexedAuthorities } from "../trust/TokenTrust.ts"
import { type ChainChange, PoolUpdated, TokenLaunched, TradeSeen } from "./ChainChange.ts"

/** What people read of a trade, or of a pool after it. */
export const TradeFigures = Schema.Struct({
  price: field(
    Schema.NullOr(Schema.String),
    "The same price as people read it: whole quote tokens for one whole base token, a decimal string; null while the decimals of the tokens are not known",
  ),
  marketCap: field(
    Schema.NullOr(Schema.String),
    "That price times the supply before migration, in whole quote tokens, a decimal string; null while it is not known",
  ),
  quoteProgress: field(
    Schema.NullOr(Schema.Finite),
    "Quote tokens raised then as a fraction of migrationQuoteThreshold, from 0 to 1, on an AMM pool 1; null while it is not known",
  ),
  finality: PoolTrade.fields.finality,
})
export type TradeFigures = typeof TradeFigures.Encoded

/** A launch as it is streamed. */
export const ShownLaunch = Schema.Struct({
  ...TokenLaunched.fields,
  decimals: Launch.fields.decimals,
  totalSupply: Launch.fields.totalSupply,
  authorities: field(
    Schema.NullOr(IndexedAuthorities),
    "Who can change the token, as known when it is sent; null if the launch was rolled back by then",
  ),
}).annotate({ identifier: "TokenLaunched", description: "A token and its pool were created" })

/** A trade as it is streamed. */
export const ShownTrade = Schema.Struct({ ...TradeSeen.fields, ...TradeFigures.fields, ...TradeUsd.fields }).annotate({
  identifier: "TradeSeen",
  description: "A swap on a bonding curve, or on the AMM pool that it migrated to",
})

/** State of a pool as it is streamed. */
export const ShownPool = Schema.Struct({ ...PoolUpdated.fields, ...TradeFigures.fields }).annotate({
  identifier: "PoolUpdated",
  description: "State of a curve, or of the AMM pool that it migrated to, after a commit of the indexer",
})

/** A change as it is streamed and sent to endpoints. */
export type ShownChange =
  | Exclude<ChainChange, { readonly type: "token" | "trade" | "pool" }>
  | typeof ShownLaunch.Encoded
  | typeof ShownTrade.Encoded
  | typeof ShownPool.Encoded

/** Adds the figures of a change to it. */
export type ShowChange = (change: ChainChange) => ShownChange

/** Figures of trades. Implemented by the server, whose tables have them; notifications send the same. */
export class ChangeFigures extends Context.Service<
  ChangeFigures,
  {
    /** What shows these changes, by a constant number of statements however many they are. Finality is that of now. */
    readonly read: (changes: ReadonlyArray<ChainChange>) => Effect.Effect<ShowChange, SqlError.SqlError>
  }
>()("@launch-registry/domain/stream/ChangeFigures") {}
