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

/** The swap must not be paid any more: its quote has expired, or it is final and no longer tracked. */
export class SwapEnded extends Schema.TaggedError<SwapEnded>()("SwapEnded", {
  id: field(Schema.String, "Id of the swap"),
  status: field(TransactionStatus, "Status of its transfer"),
  substatus: field(SwapSubstatus, "Stage of its transfer"),
}) {
  static readonly response = respondWith(SwapEnded, {
    status: 409,
    code: "swap_ended",
    message: ({ status, substatus }) =>
      status === "pending"
        ? `The quote of this Idempotency-Key has expired (${substatus}): do not pay it; request a new one with a new key`
        : `The swap has ended as ${status} (${substatus}) and is no longer tracked: do not pay it; request a new quote`,
  })
}
