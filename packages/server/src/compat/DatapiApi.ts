import { RequestGuard } from "@launch-registry/domain/http/RequestGuard"
import { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import { CONFIGS_MAX } from "@launch-registry/domain/launch/LaunchesEndpoint"
import { pagingFields } from "@launch-registry/domain/http/Paging"
import { Address, addressList } from "@launch-registry/domain/solana/Address"
import { IsoTime } from "@launch-registry/domain/time/Timestamp"
import { Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"

/** Prefix of all paths. */
export const DATAPI = "/compat/datapi"

/** Mints that pools are asked for, at most. */
const MINTS_MAX = 50

/** DBC configurations of launches; none of them means all launches. */
export const PartnerConfigs = Schema.Array(Address).check(
  Schema.isMaxLength(CONFIGS_MAX, { message: `expected at most ${CONFIGS_MAX} addresses` }),
)

const PoolList = Schema.optionalKey(
  Schema.Struct({
    // The lists are of no time.
    timeframe: Schema.optionalKey(Schema.Literals(["5m", "1h", "6h", "24h"])),
    partnerConfigs: Schema.optionalKey(PartnerConfigs),
  }),
)

const wholeNumber = Schema.String.check(Schema.isPattern(/^\d{1,15}$/, { message: "expected a whole number" }))

const params = { mint: Address }

/** Answers are made by their handlers alone: nothing documents or checks them but tests. */
const success = Schema.Unknown

/** What the template fun-launch reads of Jupiter's data API, as its code at 27ca1ea (MeteoraAg/meteora-invent, scaffolds/fun-launch) asks for it. */
export class DatapiApi extends HttpApi.make("compat-datapi")
  .add(
    HttpApiGroup.make("datapi")
      .add(
        HttpApiEndpoint.post("gems", "/v1/pools/gems", {
          payload: Schema.Struct({ recent: PoolList, aboutToGraduate: PoolList, graduated: PoolList }),
          success,
        }),
        HttpApiEndpoint.get("pools", "/v1/pools", { query: { assetIds: addressList(MINTS_MAX) }, success }),
        HttpApiEndpoint.get("txs", "/v1/txs/:mint", {
          params,
          query: {
            offset: pagingFields.cursor,
            offsetTs: Schema.optionalKey(IsoTime),
            traderAddress: Schema.optionalKey(Address),
            fromTs: Schema.optionalKey(IsoTime),
            toTs: Schema.optionalKey(IsoTime),
          },
          success,
          error: [NotConfigured.response],
        }),
        HttpApiEndpoint.get("holders", "/v1/holders/:mint", { params, success }),
        HttpApiEndpoint.get("description", "/v1/assets/:mint/description", { params, success }),
        HttpApiEndpoint.get("charts", "/v2/charts/:mint", {
          params,
          query: {
            interval: Schema.String.check(Schema.isMaxLength(20)),
            baseAsset: Schema.optionalKey(Address),
            from: Schema.optionalKey(wholeNumber),
            to: Schema.optionalKey(wholeNumber),
            candles: Schema.optionalKey(wholeNumber),
            type: Schema.optionalKey(Schema.Literals(["price", "mcap"])),
          },
          success,
          error: [NotConfigured.response],
        }),
      )
      .prefix(DATAPI),
  )
  .middleware(RequestGuard)
  .annotate(HttpApi.ParseOptions, { errors: "all" }) {}
