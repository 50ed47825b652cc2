import { Schema } from "effect"

/** An S3 service refused a request or did not answer. `reason` is for operators: it holds no secret. */
export class S3Failed extends Schema.TaggedError<S3Failed>()("S3Failed", {
  reason: Schema.String,
  /** Retrying does not help unless the object, the settings or the service change. */
  isPermanent: Schema.Boolean,
  /** Whether only this object failed, or the service would fail any. */
  scope: Schema.Literals(["object", "service"]),
  /** From `Retry-After`; never with a permanent fault. */
  retryAfterMillis: Schema.optionalKey(Schema.Number),
}) {
  override get message(): string {
    return this.reason
  }
}
