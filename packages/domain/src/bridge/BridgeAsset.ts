import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { AssetId } from "./ForeignText.ts"

/** An asset that can be swapped from or to. */
export const BridgeAsset = Schema.Struct({
  assetId: AssetId,
  blockchain: field(Schema.String, "Chain of the asset, as the swap service writes it, such as sol or arb"),
  symbol: field(Schema.String, "Ticker symbol"),
  decimals: field(Schema.Int, "Decimals: one whole token is 10^decimals smallest units"),
  contractAddress: Schema.NullOr(Schema.String).annotate({
    description: "Contract or mint of the asset on its chain; null for the native asset",
  }),
  price: Schema.NullOr(Schema.String).annotate({
    description: "USD for one whole token, a decimal string; null when the swap service gives none",
  }),
  priceUpdatedAt: field(Schema.NullOr(Timestamp), "When the price was last updated; null without a price"),
  coingeckoId: Schema.NullOr(Schema.String).annotate({ description: "Id of the asset at CoinGecko, where it has one" }),
}).annotate({ identifier: "BridgeAsset", description: "An asset that can be swapped from or to" })
export type BridgeAsset = typeof BridgeAsset.Type
