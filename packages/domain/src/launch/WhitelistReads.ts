import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { Data, DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { NotFound } from "../http/NotFound.ts"
import { PAGE_LIMIT, pageLimit, pagingFields, queryBoolean } from "../http/Paging.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"

const mintAddress = field(Address, "Mint of the token")
const whitelisted = field(Schema.Boolean, "Whether the token is on the whitelist")

/** A decision about a token. */
export const WhitelistEntry = Schema.Struct({
  mintAddress,
  whitelisted,
  updatedAt: field(Timestamp, "When that was last changed"),
}).annotate({ identifier: "WhitelistEntry", description: "Whether a token is on the whitelist" })
export type WhitelistEntry = typeof WhitelistEntry.Encoded

/** What the whitelist means for a token, also where nothing was decided about it. */
export const WhitelistState = Schema.Struct({
  mintAddress,
  whitelisted,
  updatedAt: field(Schema.NullOr(Timestamp), "When that was last changed; null if it never was"),
  tradable: field(
    Schema.Boolean,
    "Whether POST /api/launch/swap builds swaps of the token: not of one that was removed from the whitelist, nor, where the service requires the whitelist, of one that was never added",
  ),
}).annotate({ identifier: "WhitelistState", description: "What the whitelist means for a token" })
export type WhitelistState = typeof WhitelistState.Encoded

/** `GET /api/launch/whitelist` and `GET /api/launch/whitelist/:mintAddress` */
export const whitelistReads = [
  HttpApiEndpoint.get("listWhitelist", "/whitelist", {
    query: {
      whitelisted: Schema.optionalKey(
        field(queryBoolean, "true: only tokens on the whitelist. false: only those that were removed from it"),
      ),
      limit: pageLimit(PAGE_LIMIT),
      cursor: pagingFields.cursor,
    },
    success: DataList(WhitelistEntry),
  })
    .annotateMerge(revalidated)
    .annotateMerge(
      describe(
        "List the whitelist",
        "Tokens that were ever added to the whitelist or removed from it, the last change first, as a page; `limit` is 100 by default. A token that is changed while the list is paged moves to its beginning.",
      ),
    ),
  HttpApiEndpoint.get("whitelistState", "/whitelist/:mintAddress", {
    params: { mintAddress },
    success: Data(WhitelistState),
    error: [NotFound.response],
  })
    .annotateMerge(revalidated)
    .annotateMerge(
      describe(
        "Read whether a token is whitelisted",
        "Also says whether swaps of the token are built, which depends on whether the service requires the whitelist. 404 for a token that is neither registered nor was ever on the whitelist.",
      ),
    ),
] as const
