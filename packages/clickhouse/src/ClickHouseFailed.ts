import { Schema } from "effect"

/** ClickHouse refused a statement or did not answer. `reason` is for operators: bounded, without the URL, its user or its password. */
export class ClickHouseFailed extends Schema.TaggedError<ClickHouseFailed>()("ClickHouseFailed", {
  reason: Schema.String,
  /** Retrying does not help unless the statement, the settings or the server's tables and rights change. */
  isPermanent: Schema.Boolean,
}) {
  override get message(): string {
    return this.reason
  }
}

export const clickHouseFailed = (reason: string, isPermanent: boolean): ClickHouseFailed =>
  new ClickHouseFailed({ reason, isPermanent })
