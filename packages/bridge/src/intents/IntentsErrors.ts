import { Schema } from "effect"

/**
 * The swap service gave no usable answer, and may give one later. Holds no address and no cause, and a body only
 * redacted, so that neither the key nor a deposit address gets into logs.
 */
export class IntentsUnavailable extends Schema.TaggedError<IntentsUnavailable>()("IntentsUnavailable", {
  /**
   * `network`: no answer. `deadline`: no answer in time. `status`: 5xx, or a refusal by a proxy. `rate_limited`: 429.
   * `unauthorized`: our key is refused, or one is required. `redirect`: not followed. `too_large`, `malformed`: the
   * answer is not as documented.
   */
  reason: Schema.Literals([
    "network",
    "deadline",
    "status",
    "rate_limited",
    "unauthorized",
    "redirect",
    "too_large",
    "malformed",
  ]),
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

/** `detail` of an answer that is not JSON: a proxy's page, or a truncated answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(["content-type", "json", "utf-8"])

/** Whether the error concerns the request alone, not the health of the service. */
export const isOfOneAnswer = ({ detail, reason }: IntentsUnavailable): boolean =>
  reason === "too_large" || (reason === "malformed" && !NO_ANSWER.has(detail ?? ""))

/** The swap service refuses this for good. See MinimumAmount for amounts in its text. */
export class IntentsRefused extends Schema.TaggedError<IntentsRefused>()("IntentsRefused", {
  /** Of HTTP. */
  status: Schema.Number,
  /** Its messages, one line each, safe to show to a user. */
  messages: Schema.Array(Schema.String),
  /** The id that its support asks for. */
  correlationId: Schema.optionalKey(Schema.String),
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
