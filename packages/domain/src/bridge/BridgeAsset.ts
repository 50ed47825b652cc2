import { Schema } from "effect"
import { Timestamp } from "../time/Timestamp.ts"
import { AssetId } from "./ForeignText.ts"

/** An asset that can be swapped from or to. */
export const BridgeAsset = Schema.Struct({
  assetId: AssetId,
  blockchain: Schema.String.annotate({ description: "Name of the chain, as the swap service writes it" }),
  symbol: Schema.String,
  decimals: Schema.Int,
  contractAddress: Schema.NullOr(Schema.String).annotate({ description: "null for the native asset of a chain" }),
  price: Schema.NullOr(Schema.String).annotate({ description: "USD for a whole token, as a decimal string" }),
  priceUpdatedAt: Schema.NullOr(Timestamp),
  coingeckoId: Schema.NullOr(Schema.String).annotate({ description: "Id of the asset at CoinGecko, where it has one" }),
}).annotate({ identifier: "BridgeAsset" })
export type BridgeAsset = typeof BridgeAsset.Type
