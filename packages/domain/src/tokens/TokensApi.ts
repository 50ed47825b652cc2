import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { ONLY_WITH_OPERATORS } from "../http/AccessErrors.ts"
import { RequiredAccess } from "../access/RequiredAccess.ts"
import { AlreadyExists } from "../http/AlreadyExists.ts"
import { declaring, describe, reusable, revalidated } from "../http/Describe.ts"
import { Data, DataList, Deleted } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { including } from "../http/Include.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { NotFound } from "../http/NotFound.ts"
import { withHeaders } from "../http/OpenApiOperation.ts"
import { pageLimit, pagingFields, queryBoolean } from "../http/Paging.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { Holder } from "../pools/Pool.ts"
import { Address } from "../solana/Address.ts"
import { IsoTime } from "../time/Timestamp.ts"
import { HolderCount, isWhole } from "../pools/HolderCount.ts"
import { mintFilter } from "./MintFilter.ts"
import { Launchpad, TAG_LENGTH_MAX, Token, TokenDetails, TokenId } from "./Token.ts"
import { TrustReport } from "../trust/TrustReport.ts"
import { TokenChange, TokenDraft, TokenVerification } from "./TokenDraft.ts"
import { ChainContradicted, TokenRenamed } from "./TokenErrors.ts"
import { PopularToken } from "./PopularToken.ts"
import { PopularInterval } from "./TradingWindow.ts"

const filterFields = {
  launchpad: Schema.optionalKey(field(Launchpad, "Only tokens of this launchpad")),
  active: Schema.optionalKey(field(queryBoolean, "true: only tokens in presale or trading. false: only ended ones")),
  tag: Schema.optionalKey(
    field(Schema.String.check(Schema.isMaxLength(TAG_LENGTH_MAX)), "Only tokens with exactly this tag"),
  ),
  verified: Schema.optionalKey(
    field(queryBoolean, "true: only tokens that an operator of this registry has verified. false: only others"),
  ),
  startDate: Schema.optionalKey(
    field(
      IsoTime,
      "Only tokens registered at this time or later: an ISO 8601 date or date-time, UTC without an offset",
    ),
  ),
  endDate: Schema.optionalKey(
    field(IsoTime, "Only tokens registered at this time or earlier; a date without a time means the end of that day"),
  ),
}

/** Filters of a list of tokens. */
export const TokenFilter = Schema.Struct(filterFields)
export type TokenFilter = typeof TokenFilter.Type

/** Defaults of the list of popular tokens. */
export const POPULAR_INTERVAL: PopularInterval = "24h"
export const POPULAR_LIMIT = 10

/** Maximum and default number of holders in a response. */
export const HOLDERS_LIMIT = 10_000

const HolderAddresses = Schema.Struct({ ...DataList(Address).fields, isWhole }).annotate({
  identifier: "HolderAddresses",
})
/** With `include=balances`. */
const HolderBalances = Schema.Struct({ ...DataList(Holder).fields, isWhole }).annotate({ identifier: "HolderBalances" })

/** Parts of a token that are made on request. */
const PARTS = ["market", "trust"]
const PARTS_SAID =
  "`market`: each token with figures of its market, from the indexed trades. `trust`: with facts to judge it by, such as older tokens with a confusable name"
const include = including(PARTS, `${PARTS_SAID}. Both: \`market,trust\``)

const byId = { id: field(TokenId, "Id of the token in this registry, a UUID; GET /api/tokens lists them") }

/** `/api/tokens`. */
export class TokensApi extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.post("create", "/", {
      headers: idempotencyHeaders,
      payload: TokenDraft,
      success: Data(TokenDetails).pipe(HttpApiSchema.status(201)),
      error: [AlreadyExists.response, ChainContradicted.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Register a token",
          "Stores a token and its DBC configuration. A token launched with a configuration built here is registered automatically once its pool is indexed; registering it completes it: description, links, tags and configuration are added, and absent fields keep their values. Fields that differ from the chain are rejected (409 `contradicts_chain`), as is a mint that is already registered (409 `already_exists`).",
        ),
      )
      .annotateMerge(declaring(withHeaders([201], { location: "Path of the token" }))),
    HttpApiEndpoint.get("list", "/", {
      query: { ...filterFields, mintAddresses: Schema.optionalKey(mintFilter("the tokens")), include, ...pagingFields },
      success: DataList(Token),
    })
      .annotateMerge(revalidated)
      .annotateMerge(
        describe(
          "List tokens",
          "Newest first. With `limit` the response is a page, and `pagination.nextCursor` leads to the next one; without it the whole list is streamed.",
        ),
      ),
    HttpApiEndpoint.get("search", "/search", {
      query: {
        q: field(
          Schema.String.check(
            Schema.isMaxLength(200),
            Schema.makeFilter((text: string) => text.trim() !== "" || "expected a search term"),
          ),
          "Search term, case-insensitive: a part of the name, the symbol or the description, or the address of the mint",
        ),
        owner: Schema.optionalKey(field(Address, "Only tokens of this wallet")),
        ...filterFields,
        include,
        ...pagingFields,
      },
      success: DataList(Token),
    })
      .annotateMerge(revalidated)
      .annotateMerge(
        describe(
          "Search tokens",
          "Tokens whose name, symbol or description contains `q`, case-insensitive. Tokens whose symbol is `q` come first (if `q` is the address of a mint, its token), then symbols and then names that start with it, then the rest; newest first within each group. Launches that are not registered are not found here, but by their mint with `GET /api/launch/pools?mintAddresses=<address>&registered=any`. A request reads a limited number of tokens, so in a large registry a page can have fewer rows than `limit`, even none, while `pagination.nextCursor` leads to more: the last page is the one where that is null.",
        ),
      ),
    HttpApiEndpoint.get("popular", "/popular", {
      query: {
        limit: pageLimit(POPULAR_LIMIT, 100),
        interval: Schema.optionalKey(field(PopularInterval, "Time window up to now")).annotateKey({
          default: POPULAR_INTERVAL,
        }),
        ...filterFields,
        include: including(
          [...PARTS, "ranking"],
          `${PARTS_SAID}. \`ranking\`: with the figures that it is ranked by. Several: \`market,trust,ranking\``,
        ),
      },
      success: DataList(PopularToken),
    })
      .annotateMerge(
        reusable("public, max-age=0, s-maxage=2: ask again with If-None-Match; shared caches answer for two seconds"),
      )
      .annotateMerge(
        describe(
          "List popular tokens",
          "Ranked by distinct traders and then by volume over `interval`. Indexed trades count first, transactions recorded by clients second. Volume is in the quote token of each token, for indexed trades in smallest units: amounts in different quote tokens are not converted. Intervals of indexed trades and ranks move on every five seconds, those of records every minute. A filter that matches more than a thousand tokens, but too few of the thousand best of the interval, is answered with these and its thousand newest tokens, ranked together.",
        ),
      ),
    HttpApiEndpoint.get("holders", "/holders/:mintAddress", {
      params: { mintAddress: field(Address, "Mint of the token") },
      query: {
        include: Schema.optionalKey(
          field(
            Schema.Literal("balances"),
            "`balances`: each holder is an object with amount and share instead of an address",
          ),
        ),
        limit: pageLimit(HOLDERS_LIMIT, HOLDERS_LIMIT),
        cursor: pagingFields.cursor,
      },
      success: Schema.Union([HolderAddresses, HolderBalances]),
      error: [NotFound.response],
    })
      .annotateMerge(reusable("public, max-age: for as long as the service itself would answer the same"))
      .annotateMerge(
        describe(
          "List the holders of a token",
          "Wallets that hold the token, largest first, without the vaults of the bonding curve and of the pool it migrated to. At most 10,000 in one response; `pagination` leads to the rest. Where `isWhole` is false, these are the holders of the 20 largest token accounts, then of those that were read beside them: the mint has more than are read at once, is neither registered nor launched, or its accounts could not be read. Cached for ten seconds or longer.",
        ),
      ),
    HttpApiEndpoint.get("holderCount", "/holders/:mintAddress/count", {
      params: { mintAddress: field(Address, "Mint of the token") },
      success: Data(HolderCount),
      error: [NotFound.response],
    })
      .annotateMerge(reusable("public, max-age: for as long as the service itself would answer the same"))
      .annotateMerge(
        describe(
          "Count the holders of a token",
          "Wallets that hold the token, without the vaults of the bonding curve and of the pool it migrated to: as many as the list of holders has. Where `isWhole` is false, at least so many. Cached together with the list.",
        ),
      ),
    HttpApiEndpoint.get("trust", "/trust/:mintAddress", {
      params: { mintAddress: field(Address, "Mint of the token; registered or not") },
      success: Data(TrustReport),
      error: [NotFound.response],
    }).annotateMerge(
      describe(
        "Read what to judge a token by",
        "Facts, and no judgement: what `include=trust` has of the token, and what the chain says now: who can mint, freeze and take tokens, who can change the metadata, and how much the creator and the ten largest holders have. What is not known is null.",
      ),
    ),
    HttpApiEndpoint.get("getByMint", "/mint/:address", {
      params: { address: field(Address, "Mint of the token") },
      query: { include },
      success: Data(TokenDetails),
      error: [NotFound.response],
    })
      .annotateMerge(
        describe("Read a token by its mint", "The token with its links, its pool and its registered configuration."),
      )
      .annotateMerge(revalidated),
    HttpApiEndpoint.get("listByOwner", "/address/:address", {
      params: { address: field(Address, "Wallet that owns the tokens") },
      query: { ...filterFields, include, ...pagingFields },
      success: DataList(Token),
    })
      .annotateMerge(revalidated)
      .annotateMerge(
        describe(
          "List the tokens of an owner",
          "Newest first. With `limit` the response is a page; without it the whole list is streamed.",
        ),
      ),
    HttpApiEndpoint.get("getById", "/:id", {
      params: byId,
      query: { include },
      success: Data(TokenDetails),
      error: [NotFound.response],
    })
      .annotateMerge(describe("Read a token", "The token with its links, its pool and its registered configuration."))
      .annotateMerge(revalidated),
    HttpApiEndpoint.patch("update", "/:id", {
      params: byId,
      payload: TokenChange,
      success: Data(TokenDetails),
      error: [NotFound.response, ChainContradicted.response],
    }).annotateMerge(
      describe(
        "Change a token",
        "Changes name, symbol, description, tags, active and the links; any other field is rejected (400). Fields of a launched token that come from the chain (name, symbol, tokenUri, and active after migration) cannot be changed (409 `contradicts_chain`). Whether the token was renamed on chain is read before that is said; 503 if it cannot be.",
      ),
    ),
    HttpApiEndpoint.put("verify", "/:id/verified", {
      params: byId,
      payload: TokenVerification,
      success: Data(TokenDetails),
      error: [NotFound.response, TokenRenamed.response, NotConfigured.response],
    })
      .annotate(RequiredAccess, "system")
      .annotateMerge(
        describe(
          "Verify a token",
          `Marks a token as verified, or takes the mark away: a word of the operators of this registry, which owners cannot set. Lists show and filter by it, and other tokens with a confusable name are shown with the verified one. The same again changes nothing. With \`name\` and \`symbol\` only a token that is still called so is marked (409 \`token_renamed\`). The mark goes with the registration and its name: a token that gets another name or symbol, or is registered again, has none. ${ONLY_WITH_OPERATORS}`,
        ),
      ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: byId,
      success: Data(Deleted),
      error: [NotFound.response],
    }).annotateMerge(describe("Delete a token", "The token is no longer returned. Its mint can be registered again.")),
  )
  .prefix("/api/tokens")
  .annotateMerge(
    OpenApi.annotations({
      title: "Tokens",
      description: "The registry of tokens: register, search, change and delete them, and list their holders",
    }),
  ) {}
