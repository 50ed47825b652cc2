import { Schema } from "effect"

/** Why nothing is sent to ClickHouse, until an operator has changed something; in the words that operators read. */
export class HistoryFault extends Schema.TaggedError<HistoryFault>()("HistoryFault", { reason: Schema.String }) {
  override get message(): string {
    return this.reason
  }
}
