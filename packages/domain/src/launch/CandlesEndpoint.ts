import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { NotFound } from "../http/NotFound.ts"
import { pageLimit } from "../http/Paging.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { Address } from "../solana/Address.ts"
import { IsoTime } from "../time/Timestamp.ts"
import { Candle, CANDLE_FIGURE, CANDLE_INTERVAL, CandleFigure, CandleInterval, CANDLES_LIMIT } from "./Candle.ts"

/** `GET /api/launch/pool/:mintAddress/candles` */
export const listCandles = HttpApiEndpoint.get("candles", "/pool/:mintAddress/candles", {
  params: { mintAddress: field(Address, "Mint of the base token") },
  query: {
    interval: Schema.optionalKey(CandleInterval).annotateKey({
      default: CANDLE_INTERVAL,
    }),
    from: Schema.optionalKey(
      field(IsoTime, "First candle is the one that contains this time: an ISO 8601 date or date-time"),
    ),
    to: Schema.optionalKey(field(IsoTime, "Only candles that start before this time: an ISO 8601 date or date-time")),
    figure: Schema.optionalKey(field(CandleFigure, "What the candles are of")).annotateKey({
      default: CANDLE_FIGURE,
    }),
    limit: pageLimit(CANDLES_LIMIT),
  },
  success: DataList(Candle),
  error: [NotFound.response, NotConfigured.response],
})
  .annotateMerge(revalidated)
  .annotateMerge(
    describe(
      "List the candles of a pool",
      "The newest `limit` candles (300 by default) that start before `to`, oldest first. An interval without a trade has no candle. A page has at most 265 weeks or 60 months, and candles shorter than a minute of at most 20,000 trades: `to` the time of its oldest candle leads to more. The first and last candles cover their whole intervals, even if `from` or `to` lies within them. With a `figure` in US dollars, an interval in which the price of the quote token is not known has no candle; without a source of prices the answer is 503 (`not_configured`).",
    ),
  )
