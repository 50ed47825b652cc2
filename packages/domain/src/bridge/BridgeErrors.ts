import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { TransactionStatus } from "../transactions/Transaction.ts"
import { SwapSubstatus } from "./BridgeSwap.ts"

/** The quote of the swap service does not match the request, or its signature is invalid. It is not returned. */
export class QuoteNotTrusted extends Schema.TaggedError<QuoteNotTrusted>()("QuoteNotTrusted", {
  reason: field(Schema.String, "What is wrong with the quote"),
}) {
  static readonly response = respondWith(QuoteNotTrusted, {
    status: 502,
    code: "quote_not_trusted",
    message: ({ reason }) => `The swap service returned a quote that cannot be trusted: ${reason}. Do not pay it`,
  })
}

/** The request with this key is still in flight. */
export class QuoteInProgress extends Schema.TaggedError<QuoteInProgress>()("QuoteInProgress", {}) {
  static readonly response = respondWith(QuoteInProgress, {
    status: 409,
    code: "quote_in_progress",
    message: () => "The request with this Idempotency-Key is still in flight; retry in a moment",
  })
}

/** The quote of this key has expired, so its deposit address is not returned again. */
export class BridgeQuoteExpired extends Schema.TaggedError<BridgeQuoteExpired>()("BridgeQuoteExpired", {
  id: field(Schema.String, "Id of the swap"),
  depositBy: field(Schema.String, "Deadline of the deposit, ISO 8601"),
}) {
  static readonly response = respondWith(BridgeQuoteExpired, {
    status: 409,
    code: "bridge_quote_expired",
    message: ({ depositBy }) =>
      `The quote of this Idempotency-Key expired at ${depositBy}; request a new one with a new key`,
  })
}

/** The swap is final and no longer tracked: a reported transfer would not be forwarded. */
export class SwapEnded extends Schema.TaggedError<SwapEnded>()("SwapEnded", {
  id: field(Schema.String, "Id of the swap"),
  status: field(TransactionStatus, "Final status"),
  substatus: field(SwapSubstatus, "Final stage"),
}) {
  static readonly response = respondWith(SwapEnded, {
    status: 409,
    code: "swap_ended",
    message: ({ status, substatus }) =>
      `The swap has ended as ${status} (${substatus}) and is no longer tracked: do not pay it; request a new quote`,
  })
}
