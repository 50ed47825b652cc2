import { Schema } from "effect"

/** Why old trades do not leave PostgreSQL; in the words that operators read. */
export class TradesStay extends Schema.TaggedError<TradesStay>()("TradesStay", { reason: Schema.String }) {
  override get message(): string {
    return this.reason
  }
}
