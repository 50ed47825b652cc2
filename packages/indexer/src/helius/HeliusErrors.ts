import { Schema } from "effect"

/** Too early, too fast, or the gateway gave up: statuses below 500 that pass by themselves. */
const TRANSIENT = new Set([408, 425, 429])

/**
 * Helius gave no usable answer, and may give one later. Facts only: addresses of Helius hold the key, and its answers
 * repeat what they were sent, so neither an address, nor a body, nor a cause is kept.
 */
export class HeliusUnavailable extends Schema.TaggedError<HeliusUnavailable>()("HeliusUnavailable", {
  /** `malformed`: something came that is not what is documented. */
  reason: Schema.Literals(["network", "deadline", "status", "malformed"]),
  /** Of HTTP. */
  status: Schema.optionalKey(Schema.Number),
  /** Of JSON-RPC. */
  code: Schema.optionalKey(Schema.Number),
}) {
  override get message(): string {
    return `Helius gave no usable answer: ${this.reason}${figures(this)}`
  }
}

/** Helius will not do this however often it is asked: a key without rights, a parameter it does not take. */
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
 * What a status without a result says; `undefined` for one that comes with a result. Redirections are faults: following
 * one would carry the key elsewhere.
 */
export const faultOfStatus = (status: number): HeliusUnavailable | HeliusRefused | undefined => {
  if (status >= 200 && status < 300) return undefined
  return status >= 400 && status < 500 && !TRANSIENT.has(status)
    ? new HeliusRefused({ status })
    : new HeliusUnavailable({ reason: "status", status })
}
