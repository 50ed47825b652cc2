import { Schema } from "effect"

/** Temporary statuses below 500: too early, rate limited, or a gateway's timeout. */
const TRANSIENT = new Set([408, 425, 429])

/**
 * Helius gave no usable answer, and may give one later. Holds no URL, body or cause: the URLs of Helius contain the
 * key, and its answers quote the request.
 */
export class HeliusUnavailable extends Schema.TaggedError<HeliusUnavailable>()("HeliusUnavailable", {
  /** `malformed`: the answer is not as documented. */
  reason: Schema.Literals(["network", "deadline", "status", "too_large", "malformed"]),
  /** Of HTTP. */
  status: Schema.optionalKey(Schema.Number),
  /** Of JSON-RPC. */
  code: Schema.optionalKey(Schema.Number),
}) {
  override get message(): string {
    return `Helius gave no usable answer: ${this.reason}${figures(this)}`
  }
}

/** Helius refuses this for good: the key has no rights, or a parameter is not accepted. */
export class HeliusRefused extends Schema.TaggedError<HeliusRefused>()("HeliusRefused", {
  /** Of HTTP. */
  status: Schema.Number,
  /** Of JSON-RPC. */
  code: Schema.optionalKey(Schema.Number),
}) {
  override get message(): string {
    return `Helius refused${figures(this)}`
  }
}

const figures = ({ code, status }: { readonly status?: number; readonly code?: number }): string =>
  `${status === undefined ? "" : ` (HTTP ${status})`}${code === undefined ? "" : ` (code ${code})`}`

/**
 * The error of a status without a result; `undefined` for a status with one. Redirections are faults: following one
 * would send the key elsewhere.
 */
export const faultOfStatus = (status: number): HeliusUnavailable | HeliusRefused | undefined => {
  if (status >= 200 && status < 300) return undefined
  return status >= 400 && status < 500 && !TRANSIENT.has(status)
    ? new HeliusRefused({ status })
    : new HeliusUnavailable({ reason: "status", status })
}
