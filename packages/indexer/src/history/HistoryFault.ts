import { Schema } from "effect"

/** Trades have left PostgreSQL, and the setting that names where they are is absent. */
export class HistoryNotConfigured extends Schema.TaggedError<HistoryNotConfigured>()("HistoryNotConfigured", {}) {
  override get message(): string {
    return "Old trades are in ClickHouse: set HISTORY_URL to what it was, because they cannot be read without it"
  }
}

/** Both stores have other trades, so nothing leaves PostgreSQL. */
export class StoresDiffer extends Schema.TaggedError<StoresDiffer>()("StoresDiffer", {
  fromSlot: Schema.BigInt,
  toSlot: Schema.BigInt,
  postgres: Schema.String,
  clickhouse: Schema.String,
}) {
  override get message(): string {
    return (
      `PostgreSQL and ClickHouse differ in the trades of slots ${this.fromSlot} to ${this.toSlot} (${this.postgres} and ` +
      `${this.clickhouse} rows), so none of them leaves PostgreSQL: see verify-history`
    )
  }
}

/** Slots whose trades have left PostgreSQL: they were finalized, proven and compared, so nothing takes them back. */
export class SlotsClosed extends Schema.TaggedError<SlotsClosed>()("SlotsClosed", { toSlot: Schema.BigInt }) {
  override get message(): string {
    return `Slots up to ${this.toSlot} are closed: their trades are in ClickHouse alone`
  }
}

/** Slots whose log was deleted: a replay takes their trades from PostgreSQL, so they stay. */
export class TradesNeeded extends Schema.TaggedError<TradesNeeded>()("TradesNeeded", { toSlot: Schema.BigInt }) {
  override get message(): string {
    return (
      `The log up to slot ${this.toSlot} was deleted, and a replay takes the trades of these slots from PostgreSQL, so no trade leaves it: ` +
      "keep the log (INBOX_ARCHIVE_BUCKET moves it out of PostgreSQL), or unset TRADES_KEEP_DAYS"
    )
  }
}

/** Trades of slots before those that are proven: they may be reverted. */
export class TradesUnproven extends Schema.TaggedError<TradesUnproven>()("TradesUnproven", {
  fromSlot: Schema.BigInt,
}) {
  override get message(): string {
    return (
      `Trades of slots before ${this.fromSlot} are not proven to be on the chain, so no trade leaves PostgreSQL: ` +
      "prove them (backfill), or unset TRADES_KEEP_DAYS"
    )
  }
}

/** Why trades stay in PostgreSQL. */
export type ReleaseFault = StoresDiffer | TradesNeeded | TradesUnproven
