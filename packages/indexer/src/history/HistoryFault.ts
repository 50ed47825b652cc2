import { Schema } from "effect"

/** Trades have left PostgreSQL, and the setting that names where they are is absent. */
export class HistoryNotConfigured extends Schema.TaggedError<HistoryNotConfigured>()("HistoryNotConfigured", {}) {
  override get message(): string {
    return "Old trades are in ClickHouse: set HISTORY_URL to what it was, because they cannot be read without it"
  }
}

/** HISTORY_URL names a database that another index sends to, or this one did before its own database was replaced. */
export class HistoryOfAnother extends Schema.TaggedError<HistoryOfAnother>()("HistoryOfAnother", {}) {
  override get message(): string {
    return "The database of HISTORY_URL has the history of another index, so nothing is sent to it: use one of its own"
  }
}

/** Trades have left PostgreSQL, and the database of HISTORY_URL is not the one that they went to. */
export class HistoryLost extends Schema.TaggedError<HistoryLost>()("HistoryLost", {}) {
  override get message(): string {
    return (
      "Old trades have left PostgreSQL, and the database of HISTORY_URL is not the one that has them: set HISTORY_URL to what it was, or " +
      "restore its tables. If they are lost, a replay derives all trades from the log again"
    )
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
