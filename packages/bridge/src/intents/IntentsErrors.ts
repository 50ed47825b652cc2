import { Predicate, Schema } from "effect"

/** Why there is no usable answer, in words for callers and operators. */
const REASONS = {
  network: "it does not answer",
  deadline: "it does not answer in time",
  /** 5xx, or a refusal by a proxy. */
  status: "it has a fault",
  rate_limited: "it asks for a pause",
  /** Our key is refused, or one is required. */
  unauthorized: "it does not take the API key of this service",
  redirect: "it has moved",
  too_large: "its answer cannot be read",
  malformed: "its answer cannot be read",
} as const
type Reason = keyof typeof REASONS

export const reasonText = (reason: Reason): string => REASONS[reason]

/**
 * The swap service gave no usable answer, and may give one later. Holds no address and no cause, and a body only
 * redacted, so that neither the key nor a deposit address gets into logs.
 */
export class IntentsUnavailable extends Schema.TaggedError<IntentsUnavailable>()("IntentsUnavailable", {
  reason: Schema.Literals(Object.keys(REASONS) as Array<Reason>),
  /** Of HTTP. */
  status: Schema.optionalKey(Schema.Number),
  /** From its `Retry-After`. */
  retryAfterMillis: Schema.optionalKey(Schema.Number),
  /** What is malformed: `content-type`, `json`, or names of fields. Never a value. */
  detail: Schema.optionalKey(Schema.String),
  /** The unreadable body, without the key. It contains addresses: stored with a swap's events, never logged. */
  text: Schema.optionalKey(Schema.Redacted(Schema.String)),
}) {
  override get message(): string {
    const status = this.status === undefined ? "" : ` (HTTP ${this.status})`
    return `The swap service gave no usable answer: ${this.reason}${status}${this.detail === undefined ? "" : `: ${this.detail}`}`
  }
}

export const isIntentsUnavailable = (error: unknown): error is IntentsUnavailable =>
  Predicate.isTagged(error, "IntentsUnavailable")

/** `detail` of an answer that is not JSON: a proxy's page, or a truncated answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(["content-type", "json", "utf-8"])

/** Whether the error concerns the request alone, not the health of the service. */
export const isOfOneAnswer = ({ detail, reason }: IntentsUnavailable): boolean =>
  reason === "too_large" || (reason === "malformed" && !NO_ANSWER.has(detail ?? ""))

/** The swap service refuses this for good. */
export class IntentsRefused extends Schema.TaggedError<IntentsRefused>()("IntentsRefused", {
  /** Of HTTP. */
  status: Schema.Number,
  /** Its messages, one line each, safe to show to a user. */
  messages: Schema.Array(Schema.String),
}) {
  override get message(): string {
    return `The swap service refused (HTTP ${this.status}): ${this.messages.join(", ")}`
  }
}

/** The swap service does not know the deposit address. Shortly after a quote or a deposit that is normal. */
export class DepositAddressUnknown extends Schema.TaggedError<DepositAddressUnknown>()("DepositAddressUnknown", {}) {
  override get message(): string {
    return "The swap service does not know the deposit address"
  }
}
