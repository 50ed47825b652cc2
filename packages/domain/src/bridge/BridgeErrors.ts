import { Schema } from "effect"
import { InvalidIssue, respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { TransactionStatus } from "../transactions/Transaction.ts"
import { SwapSubstatus } from "./BridgeSwap.ts"

/** No swap service is configured. */
export class BridgeNotConfigured extends Schema.TaggedError<BridgeNotConfigured>()("BridgeNotConfigured", {
  reason: field(Schema.String, "Setting that is missing"),
}) {
  static readonly response = respondWith(BridgeNotConfigured, {
    status: 503,
    code: "bridge_not_configured",
    message: ({ reason }) => `Bridging is switched off: ${reason}`,
    retryAfterSeconds: "never",
  })
}

/** The swap service is away, or asked for patience. What is stored is answered all the same. */
export class BridgeUnavailable extends Schema.TaggedError<BridgeUnavailable>()("BridgeUnavailable", {
  reason: field(Schema.String, "Why the swap service cannot be asked"),
  retryAfterSeconds: field(Schema.Int, "Time after which to try again, in seconds"),
}) {
  static readonly response = respondWith(BridgeUnavailable, {
    status: 503,
    code: "bridge_unavailable",
    message: ({ reason, retryAfterSeconds }) =>
      `The swap service cannot be asked: ${reason}; try again in ${retryAfterSeconds} s`,
    retryAfterSeconds: ({ retryAfterSeconds }) => retryAfterSeconds,
  })
}

const firstIssue = (issues: ReadonlyArray<InvalidIssue>): string =>
  issues[0] === undefined ? "The quote is not possible" : `${issues[0].path}: ${issues[0].message}`

/** There is no such swap, for a reason that the caller can change. */
export class InvalidBridgeQuote extends Schema.TaggedError<InvalidBridgeQuote>()("InvalidBridgeQuote", {
  issues: Schema.Array(InvalidIssue),
}) {
  static readonly response = respondWith(InvalidBridgeQuote, {
    status: 400,
    code: "invalid_bridge_quote",
    message: ({ issues }) => firstIssue(issues),
  })
}

/** The amount is below what the swap service takes. It names the minimum in one of two units. */
export class BridgeAmountTooLow extends Schema.TaggedError<BridgeAmountTooLow>()("BridgeAmountTooLow", {
  issues: Schema.Array(InvalidIssue),
  minimumAmount: field(
    Schema.NullOr(Schema.String),
    "Minimum amount, in smallest units of the origin asset; null when the swap service names it in USD",
  ),
  minimumAmountUsd: field(
    Schema.NullOr(Schema.String),
    "Minimum amount in USD, a decimal string; null when the swap service names it in units",
  ),
}) {
  static readonly response = respondWith(BridgeAmountTooLow, {
    status: 400,
    code: "bridge_amount_too_low",
    message: ({ issues }) => firstIssue(issues),
  })
}

/** The quote that came is not the one that was asked for, or its signature is wrong: it is not answered. */
export class QuoteNotTrusted extends Schema.TaggedError<QuoteNotTrusted>()("QuoteNotTrusted", {
  reason: field(Schema.String, "What is wrong with the quote"),
}) {
  static readonly response = respondWith(QuoteNotTrusted, {
    status: 502,
    code: "quote_not_trusted",
    message: ({ reason }) =>
      `The swap service gave a quote that cannot be trusted: ${reason}. Nothing may be sent to it`,
  })
}

/** The request with this key is still under way. */
export class QuoteInProgress extends Schema.TaggedError<QuoteInProgress>()("QuoteInProgress", {}) {
  static readonly response = respondWith(QuoteInProgress, {
    status: 409,
    code: "quote_in_progress",
    message: () => "The request with this Idempotency-Key is still under way; send it again in a moment",
  })
}

/** What was quoted under this key is too old to be paid: its address is not given out again. */
export class BridgeQuoteExpired extends Schema.TaggedError<BridgeQuoteExpired>()("BridgeQuoteExpired", {
  id: field(Schema.String, "Id of the swap"),
  depositBy: field(Schema.String, "Time that it was to be paid by, ISO 8601"),
}) {
  static readonly response = respondWith(BridgeQuoteExpired, {
    status: 409,
    code: "bridge_quote_expired",
    message: ({ depositBy }) =>
      `The quote of this Idempotency-Key was to be paid by ${depositBy}; ask for a new one under a new key`,
  })
}

/** No quote of this service has this id or deposit address. */
export class SwapNotFound extends Schema.TaggedError<SwapNotFound>()("SwapNotFound", {
  swap: field(Schema.String, "Id or deposit address that was asked for"),
}) {
  static readonly response = respondWith(SwapNotFound, {
    status: 404,
    code: "swap_not_found",
    message: ({ swap }) => `No swap ${swap} was quoted here`,
  })
}

/** Nothing is expected of this swap any more: a transfer that is reported now would not be submitted. */
export class SwapEnded extends Schema.TaggedError<SwapEnded>()("SwapEnded", {
  id: field(Schema.String, "Id of the swap"),
  status: field(TransactionStatus, "Status that it has ended in"),
  substatus: field(SwapSubstatus, "Stage that it has ended in"),
}) {
  static readonly response = respondWith(SwapEnded, {
    status: 409,
    code: "swap_ended",
    message: ({ status, substatus }) =>
      `The swap has ended as ${status} (${substatus}) and is not followed any more: pay nothing to it; ask for a new quote`,
  })
}

/** More transfers were reported for the swap than anybody makes for one. */
export class TooManyDeposits extends Schema.TaggedError<TooManyDeposits>()("TooManyDeposits", {
  limit: field(Schema.Int, "Maximum number of transfers that can be reported for a swap"),
}) {
  static readonly response = respondWith(TooManyDeposits, {
    status: 409,
    code: "too_many_deposits",
    message: ({ limit }) => `${limit} transfers were reported for this swap already`,
  })
}
