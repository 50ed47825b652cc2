import { Schema } from "effect"
import { INDEXER } from "../command/CommandFile.ts"

/** Slots were deleted from the log, and their facts were derived by other modules than these. */
export class LogTooShort extends Schema.TaggedError<LogTooShort>()("LogTooShort", {
  fromSlot: Schema.BigInt,
  toSlot: Schema.BigInt,
}) {
  override get message(): string {
    return (
      `Slots ${this.fromSlot} to ${this.toSlot} were deleted from the log, and another version of the modules derived their ` +
      `trades and events: the tables cannot be derived again. Run the previous version without INBOX_KEEP_DAYS ` +
      `and fetch these slots again (${INDEXER} refetch --yes), restore a backup that has them, or accept their trades and events as they ` +
      `are (${INDEXER} replay --keep-facts)`
    )
  }
}
