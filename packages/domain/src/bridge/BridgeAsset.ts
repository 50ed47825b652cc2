import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { AssetId } from "./ForeignText.ts"

/** An asset that can be swapped from or to. */
export const BridgeAsset = Schema.Struct({
  assetId: AssetId,
  blockchain: field(Schema.String, "Chain of the asset, as named by the swap service, such as sol or arb"),
  symbol: field(Schema.String, "Ticker symbol"),
  decimals: field(Schema.Int, "Decimals: one whole token is 10^decimals smallest units"),
  contractAddress: Schema.NullOr(Schema.String).annotate({
    description: "Contract or mint of the asset on its chain; null for the native asset",
  }),
  price: Schema.NullOr(Schema.String).annotate({
    description: "Price of one whole token in USD, a decimal string; null if unknown",
  }),
  priceUpdatedAt: field(Schema.NullOr(Timestamp), "When the price was last updated; null without a price"),
  coingeckoId: Schema.NullOr(Schema.String).annotate({ description: "Id of the asset at CoinGecko; null without one" }),
}).annotate({ identifier: "BridgeAsset", description: "An asset that can be swapped from or to" })
export type BridgeAsset = typeof BridgeAsset.Type
