import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { including } from "../http/Include.ts"
import { pageLimit, pagingFields } from "../http/Paging.ts"
import { Address, addressList } from "../solana/Address.ts"
import { mintFilter } from "../tokens/MintFilter.ts"
import { Launch, LaunchSort } from "./Launch.ts"
import { CurveStage } from "../pools/Market.ts"

/** Configurations that a list is asked for, at most. */
export const CONFIGS_MAX = 20

/** Default number of launches in a page. */
export const LAUNCHES_LIMIT = 20

/** `GET /api/launch/pools`. */
export const launchesEndpoint = HttpApiEndpoint.get("pools", "/pools", {
  query: {
    sort: Schema.optionalKey(
      field(
        LaunchSort,
        "newest: latest launch first. progress: about to graduate, highest progress first (stage curve). graduated: latest migration first (stage migrated)",
      ),
    ).annotateKey({ default: "newest" }),
    stage: Schema.optionalKey(CurveStage),
    registered: Schema.optionalKey(
      field(
        Schema.Literals(["true", "false", "any"]),
        "true: only registered tokens. false: only launches that are not registered. any: both",
      ),
    ).annotateKey({ default: "true" }),
    config: Schema.optionalKey(
      field(
        addressList(CONFIGS_MAX),
        `Only launches with one of these DBC configuration accounts: addresses comma-separated, at most ${CONFIGS_MAX}`,
      ),
    ),
    creator: Schema.optionalKey(field(Address, "Only pools of this creator")),
    quoteMint: Schema.optionalKey(field(Address, "Only pools with this quote token")),
    mintAddresses: Schema.optionalKey(mintFilter("the launches")),
    include: including(
      ["market", "trust"],
      "`market`: each launch with figures of its market. `trust`: with facts to judge the token by, registered or not. Both: `market,trust`",
    ),
    limit: pageLimit(LAUNCHES_LIMIT),
    cursor: pagingFields.cursor,
  },
  success: DataList(Launch),
})
  .annotateMerge(revalidated)
  .annotateMerge(
    describe(
      "List launches",
      "Launches on chain, as pages: new ones, those about to graduate, and graduated ones. By default of registered tokens only. Order and stage follow the chain within seconds. Pages that follow each other have each launch once, but with `sort=progress` one that was traded past the cursor between two pages may be in both, or in neither; of launches in several lists or pages the last one read is right. `mintAddresses` with `registered=any` and a `limit` of as many has those of another list, such as trades, in one page.",
    ),
  )
