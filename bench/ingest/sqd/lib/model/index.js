"use strict"
// SQD's store looks for the model of a squid here. Its code generator writes decorators, which compile to these calls.
const { Entity, PrimaryColumn } = require("typeorm")
const { BigIntColumn, DateTimeColumn, StringColumn } = require("@subsquid/typeorm-store")

function Trade(values) {
  Object.assign(this, values)
}

const digits = { to: (value) => value?.toString(), from: (text) => text && BigInt(text) }
const columns = {
  ordinal: PrimaryColumn({ type: "int8", transformer: digits }),
  signature: PrimaryColumn({ type: "text" }),
  pool: StringColumn({ nullable: false }),
  baseMint: StringColumn({ nullable: false }),
  quoteMint: StringColumn({ nullable: false }),
  trader: StringColumn({ nullable: false }),
  side: StringColumn({ nullable: false }),
  baseAmount: BigIntColumn({ nullable: false }),
  quoteAmount: BigIntColumn({ nullable: false }),
  fee: BigIntColumn({ nullable: false }),
  nextSqrtPrice: BigIntColumn({ nullable: false }),
  quoteReserve: BigIntColumn({ nullable: true }),
  blockTime: DateTimeColumn({ nullable: false }),
}
for (const [name, column] of Object.entries(columns)) column(Trade.prototype, name)
Entity("trades")(Trade)

exports.Trade = Trade
