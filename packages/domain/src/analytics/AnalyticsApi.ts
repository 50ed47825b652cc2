import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { describe, reusable } from "../http/Describe.ts"
import { Data } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { pageLimit } from "../http/Paging.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { Address } from "../solana/Address.ts"
import { IsoTime } from "../time/Timestamp.ts"
import { Launchpad } from "../tokens/Token.ts"
import { ANALYTICS_DAYS_MAX, TokenRanking, TokenRankingSort, TraderRanking, VolumeReport } from "./Analytics.ts"

/** Rows of a ranking: by default, and at most. */
export const RANKING_LIMIT = 10
const RANKING_LIMIT_MAX = 100

export const RANKING_SORT: TokenRankingSort = "volume"

/** Shared caches answer for so many seconds. */
export const ANALYTICS_SECONDS = 10

const range = {
  from: field(IsoTime, "Only trades at this time or later: an ISO 8601 date or date-time"),
  to: Schema.optionalKey(
    field(
      IsoTime,
      `Only trades before this time, at most ${ANALYTICS_DAYS_MAX} days after \`from\`; by default all that history has from then on`,
    ),
  ),
}
const launchpad = Schema.optionalKey(field(Launchpad, "Only tokens that are registered with this launchpad"))
const error = [NotConfigured.response]
const cached = reusable(
  `public, max-age=0, s-maxage=${ANALYTICS_SECONDS}: ask again with If-None-Match; shared caches answer for ten seconds`,
)

const OF_HISTORY =
  "Figures are of the history in ClickHouse: of every proven trade up to the slot that `history` says. Without a history the answer is 503 (`not_configured`)."

/** `/api/analytics`. */
export class AnalyticsApi extends HttpApiGroup.make("analytics")
  .add(
    HttpApiEndpoint.get("volume", "/volume", {
      query: {
        ...range,
        by: Schema.optionalKey(field(Schema.Literal("day"), "What a row is of: a UTC day")).annotateKey({
          default: "day",
        }),
        launchpad,
        config: Schema.optionalKey(field(Address, "Only tokens that were launched with this DBC configuration")),
        quoteMint: Schema.optionalKey(field(Address, "Only trades with this quote token")),
      },
      success: Data(VolumeReport),
      error,
    })
      .annotateMerge(cached)
      .annotateMerge(
        describe("Read the volume by day", `What was traded on each day, by launchpad and quote token. ${OF_HISTORY}`),
      ),
    HttpApiEndpoint.get("tokens", "/tokens", {
      query: {
        ...range,
        sort: Schema.optionalKey(field(TokenRankingSort, "What tokens are ranked by")).annotateKey({
          default: RANKING_SORT,
        }),
        limit: pageLimit(RANKING_LIMIT, RANKING_LIMIT_MAX),
        launchpad,
        quoteMint: Schema.optionalKey(
          field(Address, "Only trades with this quote token; with `sort=volume` SOL by default"),
        ),
      },
      success: Data(TokenRanking),
      error,
    })
      .annotateMerge(cached)
      .annotateMerge(
        describe(
          "Rank tokens",
          `The most traded tokens of any range of time. Volumes in different quote tokens are not compared. ${OF_HISTORY}`,
        ),
      ),
    HttpApiEndpoint.get("traders", "/traders", {
      query: {
        ...range,
        limit: pageLimit(RANKING_LIMIT, RANKING_LIMIT_MAX),
        mintAddress: Schema.optionalKey(field(Address, "Only trades of this base token")),
        quoteMint: Schema.optionalKey(
          field(Address, "Only trades with this quote token; SOL by default without `mintAddress`"),
        ),
      },
      success: Data(TraderRanking),
      error,
    })
      .annotateMerge(cached)
      .annotateMerge(
        describe(
          "Rank traders",
          `The wallets with most volume in one quote token, in any range of time. ${OF_HISTORY}`,
        ),
      ),
  )
  .prefix("/api/analytics")
  .annotateMerge(
    OpenApi.annotations({
      title: "Analytics",
      description: "Figures of all trades of any range of time, from the history in ClickHouse",
    }),
  ) {}
