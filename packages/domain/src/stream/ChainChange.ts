import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { LiquidityMove } from "../pools/LiquidityMove.ts"
import { PAID_OR_GOT, TRADE_FEE, TradeSide } from "../pools/PoolTrade.ts"
import { Venue } from "../pools/Venue.ts"
import { Timestamp } from "../time/Timestamp.ts"

const slot = field(Schema.String, "Slot of the transaction, a decimal string")
const signature = field(Schema.String, "Signature of the transaction, base58")
const time = field(Timestamp, "Block time of the transaction")
const amount = (tokens: string) =>
  field(Schema.String, `${tokens} that the trader ${PAID_OR_GOT}, in smallest units, a decimal string`)
const sqrtPrice = (when: string) =>
  field(
    Schema.String,
    `Price ${when}: square root of the price in smallest units (quote for base), times 2^64 (Q64.64), a decimal string`,
  )
const quoteReserve = (when: string) =>
  field(
    Schema.NullOr(Schema.String),
    `Quote tokens in the pool ${when}, those raised so far on a curve, in smallest units of the quote token, a decimal string; null when not known`,
  )
const type = <const Type extends string>(name: Type) => field(Schema.Literal(name), "Type of the event")
const mintAddress = field(Address, "Mint of the base token")
const quoteMint = field(Address, "Mint of the quote token")
const pool = field(Address, "Account of the pool")
const tradedPool = field(Address, "Account of the pool: the DBC pool, or the AMM pool that it migrated to")

/** A token and its pool were created, as the indexer commits it; `ShownLaunch` is what is streamed. */
export const TokenLaunched = Schema.Struct({
  type: type("token"),
  slot,
  signature,
  time,
  mintAddress,
  quoteMint,
  pool,
  config: field(Address, "Account of the DBC configuration of the pool"),
  creator: field(Address, "Wallet that created the pool"),
  name: field(Schema.String, "Name of the token"),
  symbol: field(Schema.String, "Ticker symbol"),
  uri: field(Schema.String, "URI of the metadata document; may be empty"),
})

/** A swap on a curve, or on the AMM pool that it migrated to, as the indexer commits it; `ShownTrade` is what is streamed. */
export const TradeSeen = Schema.Struct({
  type: type("trade"),
  slot,
  signature,
  time,
  mintAddress,
  quoteMint,
  pool: tradedPool,
  venue: Venue,
  trader: field(Address, "Wallet that traded"),
  side: TradeSide,
  baseAmount: amount("Base tokens"),
  quoteAmount: amount("Quote tokens"),
  fee: field(Schema.String, TRADE_FEE),
  sqrtPrice: sqrtPrice("after the trade"),
  quoteReserve: quoteReserve("after the trade"),
})

/** State of a curve, or of the AMM pool that it migrated to, after a commit of the indexer; `ShownPool` is what is streamed. */
export const PoolUpdated = Schema.Struct({
  type: type("pool"),
  slot,
  mintAddress,
  pool: tradedPool,
  venue: Venue,
  sqrtPrice: sqrtPrice("after the newest trade of the commit"),
  quoteReserve: quoteReserve("after the newest trade of the commit"),
})

/** A curve is complete, or has migrated to an AMM pool. */
export const PoolGraduated = Schema.Struct({
  type: type("graduation"),
  slot,
  signature,
  time,
  pool,
  stage: field(
    Schema.Literals(["completed", "migrated"]),
    "completed: the threshold is raised. migrated: the liquidity went to an AMM pool",
  ),
  mintAddress: field(Schema.NullOr(Address), "Mint of the base token; null when not known"),
  migratedPool: field(Schema.NullOr(Address), "AMM pool that trading continues in; null unless migrated"),
}).annotate({ identifier: "PoolGraduated", description: "A curve is complete, or has migrated" })

/** A pool was transferred to another creator, who owns the launch from now on. */
export const CreatorChanged = Schema.Struct({
  type: type("creator"),
  slot,
  signature,
  time,
  pool,
  mintAddress: field(Schema.NullOr(Address), "Mint of the base token; null when not known"),
  creator: field(Address, "Wallet that is the creator from now on"),
}).annotate({ identifier: "CreatorChanged", description: "A pool was transferred to another creator" })

/** Liquidity of the AMM pool that a curve migrated to was added, withdrawn, locked or split. */
export const LiquidityMoved = Schema.Struct({
  type: type("liquidity"),
  slot,
  signature,
  time,
  mintAddress,
  quoteMint,
  pool: field(Address, "The DAMM v2 pool that the curve migrated to"),
  ...LiquidityMove.fields,
}).annotate({
  identifier: "LiquidityMoved",
  description: "Liquidity of the DAMM v2 pool of a token was added, withdrawn, locked, or split off a position",
})

/** A transaction that was emitted before is not on the finalized chain: its effects are rolled back. */
export const TransactionReverted = Schema.Struct({
  type: type("revert"),
  slot,
  signature,
  mintAddresses: Schema.Array(Address).annotate({ description: "Mints of the tokens that it launched" }),
  pools: Schema.Array(Address).annotate({ description: "Pools that it migrated" }),
  creatorPools: Schema.Array(Address).annotate({ description: "Pools that it transferred to another creator" }),
}).annotate({
  identifier: "TransactionReverted",
  description: "A transaction that was emitted is not on the finalized chain: its effects are rolled back",
})

/** A change committed by the indexer. The server applies it to the registry and streams it. */
export const ChainChange = Schema.Union([
  TokenLaunched,
  TradeSeen,
  PoolUpdated,
  PoolGraduated,
  CreatorChanged,
  LiquidityMoved,
  TransactionReverted,
])
export type ChainChange = typeof ChainChange.Encoded
export type ChainChangeType = ChainChange["type"]

/** Types of changes, in listing order. */
export const CHANGE_TYPES: ReadonlyArray<ChainChangeType> = ChainChange.members.map(({ fields }) => fields.type.literal)
