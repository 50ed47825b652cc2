import { Analytics } from "@launch-registry/server/analytics/Analytics"
import { History } from "@launch-registry/server/history/History"
import { Candles } from "@launch-registry/server/launch/Candles"
import { PoolTrades } from "@launch-registry/server/launch/PoolTrades"
import { PriceUnits } from "@launch-registry/server/launch/PriceUnits"
import { Trades } from "@launch-registry/server/launch/Trades"
import { HasUsdPrices } from "@launch-registry/server/prices/QuotePrices"
import { Layer } from "effect"

/** Reads of what was traded, in PostgreSQL and in the history in ClickHouse where there is one. */
export const marketHistory = ({ hasUsdPrices }: { readonly hasUsdPrices: boolean }) =>
  Layer.mergeAll(Candles.layer, PoolTrades.layer, Trades.layer, Analytics.layer).pipe(
    Layer.provide([PriceUnits.layer, Layer.succeed(HasUsdPrices, hasUsdPrices), History.layer]),
  )
