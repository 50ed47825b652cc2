import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { ListsBusy } from "../http/LimitErrors.ts"
import { declaring, describe } from "../http/Describe.ts"
import { NOT_STORED } from "../http/OpenApiOperation.ts"
import { Data, DataList } from "../http/Envelope.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { pageFields } from "../http/Paging.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { TransactionId, TransactionStatus } from "../transactions/Transaction.ts"
import { BridgeAsset } from "./BridgeAsset.ts"
import { AcceptedDeposit, BridgeDepositReport } from "./BridgeDeposit.ts"
import {
  BridgeAmountTooLow,
  BridgeNotConfigured,
  BridgeQuoteExpired,
  BridgeUnavailable,
  InvalidBridgeQuote,
  QuoteInProgress,
  QuoteNotTrusted,
  SwapEnded,
  SwapNotFound,
  TooManyDeposits,
} from "./BridgeErrors.ts"
import { BridgeQuote, BridgeQuoteRequest } from "./BridgeQuote.ts"
import { BridgeSwap, BridgeSwapRecord } from "./BridgeSwap.ts"
import { DepositAddress, DepositMemo, ForeignAddress } from "./ForeignText.ts"

/** What narrows a list of swaps. */
export const SwapFilter = Schema.Struct({
  userAddress: Schema.optionalKey(ForeignAddress),
  depositAddress: Schema.optionalKey(DepositAddress),
  status: Schema.optionalKey(TransactionStatus),
})
export type SwapFilter = typeof SwapFilter.Type

const AssetList = Schema.Struct({
  success: Schema.Literal(true),
  data: Schema.Array(BridgeAsset),
  asOf: Timestamp.annotateKey({ description: "When the swap service gave the list" }),
  stale: Schema.Boolean.annotate({ description: "The list is old, and the swap service gives no new one" }),
})

/** `/api/bridge`: swaps across chains (specification, section 4), followed to their end. */
export class BridgeApi extends HttpApiGroup.make("bridge")
  .add(
    HttpApiEndpoint.get("tokens", "/tokens", {
      query: {
        chain: Schema.optionalKey(
          Schema.String.check(
            Schema.isPattern(/^[A-Za-z0-9_-]{1,32}$/, { expected: "the name of a chain" }),
            Schema.isMaxLength(32),
          ),
        ),
        search: Schema.optionalKey(Schema.String.check(Schema.isBetweenLength(1, 100))).annotateKey({
          description: "Part of a symbol, an asset id or a contract address; case does not matter",
        }),
      },
      success: AssetList,
      error: [BridgeNotConfigured.response, BridgeUnavailable.response],
    }).annotateMerge(
      describe(
        "Assets that can be swapped",
        "Kept for five minutes, and given with `stale` while the swap service is away.",
      ),
    ),
    HttpApiEndpoint.post("quote", "/quote", {
      headers: idempotencyHeaders,
      payload: BridgeQuoteRequest,
      success: Data(BridgeQuote),
      error: [
        InvalidBridgeQuote.response,
        BridgeAmountTooLow.response,
        QuoteNotTrusted.response,
        QuoteInProgress.response,
        BridgeQuoteExpired.response,
        BridgeNotConfigured.response,
        BridgeUnavailable.response,
      ],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Quote a swap",
          "Dry when nothing else is said. With `dry: false` it is a swap: signed by the swap service, checked and stored before its deposit address is answered. The same request with the same Idempotency-Key gives the same swap for as long as it can be paid.",
        ),
      )
      .annotateMerge(declaring(NOT_STORED)),
    HttpApiEndpoint.post("deposit", "/deposit", {
      headers: idempotencyHeaders,
      payload: BridgeDepositReport,
      success: Data(AcceptedDeposit),
      error: [SwapNotFound.response, SwapEnded.response, TooManyDeposits.response, BridgeNotConfigured.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Report a deposit",
          "Optional, and makes a swap faster. It is stored first and submitted until the swap service has taken it, so this works while that is away. The same report again changes nothing. A swap that has expired or failed takes reports for as long as it is followed; one that has ended for good is 409 `swap_ended`.",
        ),
      ),
    HttpApiEndpoint.get("status", "/status/:depositAddress", {
      params: { depositAddress: DepositAddress },
      query: {
        memo: Schema.optionalKey(Schema.Union([Schema.Literal(""), DepositMemo])).annotateKey({
          description: "depositMemo of the quote; empty or left out when it has none",
        }),
      },
      success: Data(BridgeSwap),
      error: [SwapNotFound.response, BridgeNotConfigured.response],
    }).annotateMerge(
      describe(
        "Status of a swap",
        "What is stored of it: answered with `stale` while the swap service is away. Asking makes the next look at it come at once, or ten seconds after the last one.",
      ),
    ),
    HttpApiEndpoint.get("swaps", "/swaps", {
      query: { ...SwapFilter.fields, ...pageFields },
      success: DataList(BridgeSwap),
      error: [BridgeNotConfigured.response, ListsBusy.response],
    }).annotateMerge(describe("List swaps", "Newest first; 100 without `limit`.")),
    HttpApiEndpoint.get("swap", "/swaps/:id", {
      params: { id: TransactionId },
      success: Data(BridgeSwapRecord),
      error: [SwapNotFound.response, BridgeNotConfigured.response],
    }).annotateMerge(describe("Read a swap", "With its timeline, the reported deposits and the signed quote.")),
  )
  .prefix("/api/bridge")
  .annotateMerge(OpenApi.annotations({ title: "Bridge", description: "Swaps across chains" })) {}
