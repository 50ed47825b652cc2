import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe, reusable } from "../http/Describe.ts"
import { Data } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { FeeKind } from "../pools/PoolFees.ts"

/** Launches that the figures of a creator are counted of. */
export const CREATOR_LAUNCHES_MAX = 10_000

/** Shared caches answer for so many seconds. */
export const CREATOR_SECONDS = 2

const quoteMint = field(Address, "Mint of the quote token")
const inQuote = (what: string) =>
  field(Schema.String, `${what}, in smallest units of the quote token, a decimal string`)

/** What a creator has launched, and what came of it. */
export const CreatorFigures = Schema.Struct({
  creator: field(Address, "Wallet of the request"),
  launches: field(Schema.Int, "Pools of which it is the creator"),
  graduated: field(Schema.Int, "Those of them whose curve has migrated"),
  graduatedShare: field(Schema.NullOr(Schema.Finite), "graduated of launches, from 0 to 1; null without launches"),
  isWhole: field(
    Schema.Boolean,
    `false: there are more than ${CREATOR_LAUNCHES_MAX} launches, and launches, graduated and volumes are of the newest of them`,
  ),
  volumes: field(
    Schema.Array(
      Schema.Struct({
        quoteMint,
        launches: field(Schema.Int, "Pools with this quote token"),
        quoteVolume: inQuote("What was traded in them since their launch, before and after the migration"),
      }).annotate({ identifier: "CreatorVolume", description: "What was traded of a creator's launches" }),
    ),
    "By quote token, most launches first",
  ),
  earned: field(
    Schema.Array(
      Schema.Struct({
        quoteMint: field(Address, "Mint of the quote token; SOL of a pool_creation_fee"),
        kind: FeeKind,
        claims: field(Schema.String, "How many claims, a decimal string"),
        quoteAmount: inQuote(
          "What they gave, of a pool_creation_fee in lamports; base tokens are not counted, nor claims of a leftover",
        ),
      }).annotate({ identifier: "CreatorEarning", description: "What a wallet has claimed" }),
    ),
    "What the wallet has claimed of any pool, as creator, partner or holder of a position, by quote token and kind",
  ),
  links: field(
    Schema.Struct({
      launches: field(Schema.String, "Path of the list of its launches"),
      claims: field(Schema.String, "Path of the list of its claims"),
    }).annotate({ identifier: "CreatorLinks", description: "Lists of what is counted" }),
    "Lists of what is counted",
  ),
}).annotate({ identifier: "CreatorFigures", description: "What a creator has launched and earned" })
export type CreatorFigures = typeof CreatorFigures.Encoded

/** `GET /api/launch/creators/:address` */
export const creatorEndpoint = HttpApiEndpoint.get("creator", "/creators/:address", {
  params: { address: field(Address, "Wallet of the creator") },
  success: Data(CreatorFigures),
})
  .annotateMerge(
    reusable(
      `public, max-age=0, s-maxage=${CREATOR_SECONDS}: ask again with If-None-Match; shared caches answer for two seconds`,
    ),
  )
  .annotateMerge(
    describe(
      "Read the figures of a creator",
      `Launches, how many of them graduated, what was traded of them, and what the wallet has claimed, as indexed. Of more than ${CREATOR_LAUNCHES_MAX} launches the newest count. Zero for a wallet that has launched nothing.`,
    ),
  )
