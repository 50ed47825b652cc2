import { Schema } from "effect"

/** Slots whose log was deleted: a replay takes their trades from PostgreSQL, so they stay. */
export class TradesNeeded extends Schema.TaggedError<TradesNeeded>()("TradesNeeded", { toSlot: Schema.BigInt }) {
  override get message(): string {
    return (
      `The log up to slot ${this.toSlot} was deleted, and a replay takes the trades of these slots from PostgreSQL, so no trade leaves it: ` +
      "keep the log, or unset TRADES_KEEP_DAYS"
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
