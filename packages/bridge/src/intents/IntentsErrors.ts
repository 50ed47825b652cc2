import { Schema } from "effect"

/**
 * The swap service gave no usable answer, and may give one later. Facts only: no address, no cause, a body only redacted, so that
 * neither the key nor a deposit address gets into logs.
 */
export class IntentsUnavailable extends Schema.TaggedError<IntentsUnavailable>()("IntentsUnavailable", {
  /**
   * `network`: no answer. `deadline`: none in time. `status`: 5xx, or a refusal that is not of the service (a page of
   * something before it). `rate_limited`: 429. `unauthorized`: it does not take our key, or asks for one. `redirect`:
   * not followed. `too_large`, `malformed`: something came that is not what is documented.
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
  /** When it asked to be asked again. */
  retryAfterMillis: Schema.optionalKey(Schema.Number),
  /** Of what is malformed: `content-type`, `json`, or the names of fields. Never a value. */
  detail: Schema.optionalKey(Schema.String),
  /** What came and could not be read, without the key. It holds addresses: it goes to the events of a swap, never to logs. */
  text: Schema.optionalKey(Schema.Redacted(Schema.String)),
}) {
  override get message(): string {
    const status = this.status === undefined ? "" : ` (HTTP ${this.status})`
    return `The swap service gave no usable answer: ${this.reason}${status}${this.detail === undefined ? "" : `: ${this.detail}`}`
  }
}

/** What `detail` says of an answer that is no JSON at all: a page of something in front of the service, or half an answer. */
const NO_ANSWER: ReadonlySet<string> = new Set(["content-type", "json", "utf-8"])

/** Whether this is about what was asked, and says nothing of the service as a whole. */
export const isOfOneAnswer = ({ detail, reason }: IntentsUnavailable): boolean =>
  reason === "too_large" || (reason === "malformed" && !NO_ANSWER.has(detail ?? ""))

/** The swap service will not do this however often it is asked. See MinimumAmount for what its text may hold. */
export class IntentsRefused extends Schema.TaggedError<IntentsRefused>()("IntentsRefused", {
  /** Of HTTP. */
  status: Schema.Number,
  /** Its words, as one line each that may be shown to a user. */
  messages: Schema.Array(Schema.String),
  /** What its support asks for. */
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
