import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { Data, DataList, Deleted } from "../http/Envelope.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { ListsBusy } from "../http/LimitErrors.ts"
import { pagingFields, queryBoolean, queryInt } from "../http/Paging.ts"
import { ChainUnavailable, MintNotFound } from "../launch/LaunchErrors.ts"
import { Holder } from "../launch/Pool.ts"
import { Address, addressList } from "../solana/Address.ts"
import { IsoTime } from "../time/Timestamp.ts"
import { Launchpad, TAG_LENGTH_MAX, Token, TokenDetails, TokenId } from "./Token.ts"
import { TokenChange, TokenDraft } from "./TokenDraft.ts"
import { ChainContradicted, MintAlreadyRegistered, TokenNotFound } from "./TokenErrors.ts"
import { PopularInterval } from "./TradingWindow.ts"

const filterFields = {
  launchpad: Schema.optionalKey(Launchpad),
  active: Schema.optionalKey(queryBoolean),
  tag: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(TAG_LENGTH_MAX))),
  startDate: Schema.optionalKey(IsoTime).annotateKey({ description: "Created on or after" }),
  endDate: Schema.optionalKey(IsoTime).annotateKey({ description: "Created on or before; a date means the whole day" }),
}

/** What narrows a list of tokens. */
export const TokenFilter = Schema.Struct(filterFields)
export type TokenFilter = typeof TokenFilter.Type

const MINTS_MAX = 100

const mints = addressList(MINTS_MAX).annotate({
  description: `Comma-separated mint addresses, at most ${MINTS_MAX}: only these tokens, in one answer`,
})

const byId = { id: TokenId }

/** `/api/tokens` (specification, section 4). */
export class TokensApi extends HttpApiGroup.make("tokens")
  .add(
    HttpApiEndpoint.post("create", "/", {
      headers: idempotencyHeaders,
      payload: TokenDraft,
      success: Data(TokenDetails).pipe(HttpApiSchema.status(201)),
      error: [MintAlreadyRegistered.response, ChainContradicted.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Register a token",
          "Stores the token and its DBC configuration together. A token that appeared by itself, because it was launched with a configuration built here, is completed: description, links, tags and configuration are added, and what is left out stays. What the chain says of a mint cannot be registered otherwise (409).",
        ),
      ),
    HttpApiEndpoint.get("list", "/", {
      query: { ...filterFields, mints: Schema.optionalKey(mints), ...pagingFields },
      success: DataList(Token),
      error: [ListsBusy.response],
    }).annotateMerge(describe("List tokens", "Newest first. Without `limit` the whole list is streamed.")),
    HttpApiEndpoint.get("search", "/search", {
      query: {
        q: Schema.String.check(
          Schema.isMaxLength(200),
          Schema.makeFilter((text: string) => text.trim() !== "" || "expected a term to search for"),
        ),
        owner: Schema.optionalKey(Address),
        ...filterFields,
        ...pagingFields,
      },
      success: DataList(Token),
      error: [ListsBusy.response],
    }).annotateMerge(
      describe(
        "Search tokens",
        "Case-insensitive substring of name, symbol or description; ranked exact symbol, symbol prefix, name prefix, rest.",
      ),
    ),
    HttpApiEndpoint.get("popular", "/popular", {
      query: {
        limit: Schema.optionalKey(queryInt({ minimum: 1, maximum: 100 })),
        interval: Schema.optionalKey(PopularInterval),
        ...filterFields,
      },
      success: DataList(Token),
    }).annotateMerge(
      describe(
        "Popular tokens",
        "By distinct traders, then volume, over `interval` (24h), from trades seen on chain first, recorded transactions second.",
      ),
    ),
    HttpApiEndpoint.get("holders", "/holders/:mintAddress", {
      params: { mintAddress: Address },
      query: {
        include: Schema.optionalKey(Schema.Literal("balances")),
        limit: Schema.optionalKey(queryInt({ minimum: 1, maximum: 10_000 })),
        cursor: pagingFields.cursor,
      },
      success: Schema.Union([DataList(Address), DataList(Holder)]),
      error: [MintNotFound.response, ChainUnavailable.response],
    }).annotateMerge(
      describe(
        "Holders of a token",
        "Owners, largest first, without the curve's vault; `include=balances` adds amount and share. At most 10,000 at once; `pagination` says how it goes on. The same for ten seconds.",
      ),
    ),
    HttpApiEndpoint.get("getByMint", "/mint/:address", {
      params: { address: Address },
      success: Data(TokenDetails),
      error: [TokenNotFound.response],
    }).annotateMerge(describe("Read a token by its mint")),
    HttpApiEndpoint.get("listByOwner", "/address/:address", {
      params: { address: Address },
      query: { ...filterFields, ...pagingFields },
      success: DataList(Token),
      error: [ListsBusy.response],
    }).annotateMerge(describe("List the tokens of an owner")),
    HttpApiEndpoint.get("getById", "/:id", {
      params: byId,
      success: Data(TokenDetails),
      error: [TokenNotFound.response],
    }).annotateMerge(describe("Read a token")),
    HttpApiEndpoint.patch("update", "/:id", {
      params: byId,
      payload: TokenChange,
      success: Data(TokenDetails),
      error: [TokenNotFound.response, ChainContradicted.response],
    }).annotateMerge(
      describe(
        "Change a token",
        "name, symbol, description, tags, active and the links; any other field is refused. What the chain says of a launched token (name, symbol, tokenUri, and that it has migrated) cannot be changed (409).",
      ),
    ),
    HttpApiEndpoint.delete("remove", "/:id", {
      params: byId,
      success: Data(Deleted),
      error: [TokenNotFound.response],
    }).annotateMerge(
      describe(
        "Delete a token",
        "It is gone for every read; its mint can be registered again, as far as the chain allows.",
      ),
    ),
  )
  .prefix("/api/tokens")
  .annotateMerge(OpenApi.annotations({ title: "Tokens", description: "The registry of launched tokens" })) {}
