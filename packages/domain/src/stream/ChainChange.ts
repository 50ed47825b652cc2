import { Schema } from "effect"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"

const slot = Schema.String.annotate({ description: "Slot it happened in" })
const amount = Schema.String.annotate({ description: "In the smallest unit" })
const sqrtPrice = Schema.String.annotate({ description: "Square root of the price in smallest units, Q64.64" })

/** A token and its pool were created. */
export const TokenLaunched = Schema.Struct({
  type: Schema.Literal("token"),
  slot,
  signature: Schema.String,
  time: Timestamp,
  baseMint: Address,
  quoteMint: Address,
  pool: Address,
  config: Address,
  creator: Address,
  name: Schema.String,
  symbol: Schema.String,
  uri: Schema.String,
}).annotate({ identifier: "TokenLaunched" })

/** A swap on a curve. */
export const TradeSeen = Schema.Struct({
  type: Schema.Literal("trade"),
  slot,
  signature: Schema.String,
  time: Timestamp,
  baseMint: Address,
  quoteMint: Address,
  pool: Address,
  trader: Address,
  side: Schema.Literals(["BUY", "SELL"]),
  baseAmount: amount,
  quoteAmount: amount,
  fee: amount,
  sqrtPrice,
}).annotate({ identifier: "TradeSeen" })

/** Where the curve of a token stands after a commit of the indexer. */
export const PoolUpdated = Schema.Struct({
  type: Schema.Literal("pool"),
  slot,
  baseMint: Address,
  pool: Address,
  sqrtPrice,
  quoteReserve: Schema.NullOr(amount),
}).annotate({ identifier: "PoolUpdated" })

/** A curve is complete, or has gone on as an AMM pool. */
export const PoolGraduated = Schema.Struct({
  type: Schema.Literal("graduation"),
  slot,
  signature: Schema.String,
  time: Timestamp,
  pool: Address,
  stage: Schema.Literals(["completed", "migrated"]),
  baseMint: Schema.NullOr(Address),
  migratedPool: Schema.NullOr(Address),
}).annotate({ identifier: "PoolGraduated" })

/** A pool has another creator, who owns the launch from then on. */
export const CreatorChanged = Schema.Struct({
  type: Schema.Literal("creator"),
  slot,
  signature: Schema.String,
  time: Timestamp,
  pool: Address,
  baseMint: Schema.NullOr(Address),
  creator: Address,
}).annotate({ identifier: "CreatorChanged" })

/** A transaction that was seen before is not on the finalized chain: what it did has been taken back. */
export const TransactionReverted = Schema.Struct({
  type: Schema.Literal("revert"),
  slot,
  signature: Schema.String,
  baseMints: Schema.Array(Address).annotate({ description: "Tokens that it had launched" }),
  pools: Schema.Array(Address).annotate({ description: "Pools that it had migrated" }),
  creatorPools: Schema.Array(Address).annotate({ description: "Pools that it had given another creator" }),
}).annotate({ identifier: "TransactionReverted" })

/** What a commit of the indexer changed: the indexer writes these, the server streams them and follows them itself. */
export const ChainChange = Schema.Union([
  TokenLaunched,
  TradeSeen,
  PoolUpdated,
  PoolGraduated,
  CreatorChanged,
  TransactionReverted,
])
export type ChainChange = typeof ChainChange.Encoded
export type ChainChangeType = ChainChange["type"]

/** Types of changes, in the order in which they are listed. */
export const CHANGE_TYPES: ReadonlyArray<ChainChangeType> = ChainChange.members.map(({ fields }) => fields.type.literal)
