import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { LimitReached } from "../http/LimitErrors.ts"
import { declaring, describe, reusable, revalidated } from "../http/Describe.ts"
import { NotFound } from "../http/NotFound.ts"
import { NOT_STORED } from "../http/OpenApiOperation.ts"
import { Data, DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { pageFields, queryBoolean } from "../http/Paging.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { TransactionId, TransactionStatus } from "../transactions/Transaction.ts"
import { BridgeAsset } from "./BridgeAsset.ts"
import { AcceptedDeposit, BridgeDepositReport } from "./BridgeDeposit.ts"
import { QuoteNotTrusted, SwapEnded } from "./BridgeErrors.ts"
import { BridgeQuote, BridgeQuoteRequest } from "./BridgeQuote.ts"
import { BridgeSwap, BridgeSwapRecord } from "./BridgeSwap.ts"
import { DepositAddress, DepositMemo, ForeignAddress } from "./ForeignText.ts"

/** Filters of a list of cross-chain swaps. */
export const SwapFilter = Schema.Struct({
  userAddress: Schema.optionalKey(field(ForeignAddress, "Only swaps of this user")),
  depositAddress: Schema.optionalKey(field(DepositAddress, "Only swaps with this deposit address")),
  status: Schema.optionalKey(field(TransactionStatus, "Only swaps in this status")),
  needsReview: Schema.optionalKey(
    field(queryBoolean, "true: only swaps that need, or needed, a person to look at them. false: only the others"),
  ),
})
export type SwapFilter = typeof SwapFilter.Type

const AssetList = Schema.Struct({
  success: field(Schema.Literal(true), "true: the request succeeded"),
  data: field(Schema.Array(BridgeAsset), "The assets"),
  asOf: field(Timestamp, "When the list was fetched from the swap service"),
  stale: field(Schema.Boolean, "true: the list is older than five minutes, and the swap service is unavailable"),
})

/** `/api/bridge`: cross-chain swaps, tracked to their outcome. */
export class BridgeApi extends HttpApiGroup.make("bridge")
  .add(
    HttpApiEndpoint.get("tokens", "/tokens", {
      query: {
        chain: Schema.optionalKey(
          field(
            Schema.String.check(
              Schema.isPattern(/^[A-Za-z0-9_-]{1,32}$/, { expected: "the name of a chain" }),
              Schema.isMaxLength(32),
            ),
            "Only assets of this chain, a value of `blockchain` such as sol",
          ),
        ),
        search: Schema.optionalKey(
          field(
            Schema.String.check(Schema.isBetweenLength(1, 100)),
            "Only assets with this text in symbol, asset id or contract address, case-insensitive",
          ),
        ),
      },
      success: AssetList,
      error: [NotConfigured.response],
    })
      .annotateMerge(reusable("public, max-age: for as long as the service itself would answer the same"))
      .annotateMerge(
        describe(
          "List the assets of cross-chain swaps",
          "Cached for five minutes. While the swap service is unavailable, the last list is returned with `stale: true`.",
        ),
      ),
    HttpApiEndpoint.post("quote", "/quote", {
      headers: idempotencyHeaders,
      payload: BridgeQuoteRequest,
      success: Data(BridgeQuote),
      error: [QuoteNotTrusted.response, SwapEnded.response, NotConfigured.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Quote a cross-chain swap",
          "Without `dry: false` the response is only a quote. With it, a swap begins: the quote is signed by the swap service, verified and stored, and the response has the deposit address to pay to. The same request with the same Idempotency-Key returns the same swap for as long as it can be paid.",
        ),
      )
      .annotateMerge(declaring(NOT_STORED)),
    HttpApiEndpoint.post("deposit", "/deposit", {
      headers: idempotencyHeaders,
      payload: BridgeDepositReport,
      success: Data(AcceptedDeposit),
      error: [NotFound.response, SwapEnded.response, LimitReached.response, NotConfigured.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Report a deposit",
          "Optional: reports the transfer that paid a swap, which speeds up its processing. The report is stored and forwarded until the swap service accepts it. Repeating a report changes nothing. A swap in a final state accepts no reports (409 `swap_ended`).",
        ),
      ),
    HttpApiEndpoint.get("status", "/status/:depositAddress", {
      params: { depositAddress: field(DepositAddress, "depositAddress of the quote") },
      query: {
        memo: Schema.optionalKey(
          field(
            Schema.Union([Schema.Literal(""), DepositMemo]),
            "depositMemo of the quote; empty or absent if it has none",
          ),
        ),
      },
      success: Data(BridgeSwap),
      error: [NotFound.response, NotConfigured.response],
    })
      .annotateMerge(revalidated)
      .annotateMerge(
        describe(
          "Read the status of a swap",
          "The stored swap, with `stale: true` while the swap service is unavailable. A read triggers a refresh from the swap service, at most every ten seconds.",
        ),
      ),
    HttpApiEndpoint.get("swaps", "/swaps", {
      query: { ...SwapFilter.fields, ...pageFields },
      success: DataList(BridgeSwap),
      error: [NotConfigured.response],
    })
      .annotateMerge(revalidated)
      .annotateMerge(describe("List swaps", "Newest first, as a page; `limit` is 100 by default.")),
    HttpApiEndpoint.get("swap", "/swaps/:id", {
      params: { id: field(TransactionId, "Id of the swap, a UUID") },
      success: Data(BridgeSwapRecord),
      error: [NotFound.response, NotConfigured.response],
    })
      .annotateMerge(revalidated)
      .annotateMerge(describe("Read a swap", "The swap with its timeline, reported deposits and signed quote.")),
  )
  .prefix("/api/bridge")
  .annotateMerge(
    OpenApi.annotations({
      title: "Bridge",
      description: "Cross-chain swaps through an intents service: quote, pay, track to the outcome",
    }),
  ) {}
