import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { Venue } from "../pools/Venue.ts"

/** The curve is complete and takes no swaps: it awaits migration, or the pool that it migrated to cannot be read. */
export class CurveCompleted extends Schema.TaggedError<CurveCompleted>()("CurveCompleted", {
  mintAddress: field(Schema.String, "Mint of the token"),
  isMigrated: field(Schema.Boolean, "Whether the liquidity has migrated; false while the complete curve waits for it"),
  graduatedPool: field(Schema.NullOr(Schema.String), "Pool that trading continues in; null if unknown"),
  venue: field(Venue, "Program of that pool; dbc while the curve awaits migration"),
}) {
  static readonly response = respondWith(CurveCompleted, {
    status: 409,
    code: "curve_completed",
    message: ({ mintAddress, graduatedPool, isMigrated }) => {
      if (!isMigrated) return `The curve of ${mintAddress} is complete and awaits migration`
      const where = graduatedPool === null ? "" : ` to pool ${graduatedPool}`
      return `The curve of ${mintAddress} has migrated${where}`
    },
  })
}

/** The pool where a token trades takes no swaps, or none that can be quoted or built here. */
export class PoolNotSwappable extends Schema.TaggedError<PoolNotSwappable>()("PoolNotSwappable", {
  mintAddress: field(Schema.String, "Mint of the token"),
  pool: field(Schema.String, "Pool where the token trades"),
  reason: field(
    Schema.Literals(["disabled", "vault_disabled", "unknown_fee", "transfer_fee", "transfer_hook"]),
    "disabled: its operator switched swaps off. vault_disabled: the vault of the token that is sent takes no deposits (DAMM v1). unknown_fee: its fee is of a kind that this service does not know. transfer_fee, transfer_hook: one of its tokens takes a fee on transfers, or calls a program",
  ),
}) {
  static readonly response = respondWith(PoolNotSwappable, {
    status: 409,
    code: "pool_not_swappable",
    message: ({ pool, reason }) => `No swaps are built on pool ${pool}: ${NOT_SWAPPABLE[reason]}`,
  })
}

const NOT_SWAPPABLE = {
  disabled: "swaps are switched off there",
  vault_disabled: "the vault of the token that is sent takes no deposits",
  unknown_fee: "its fee is of a kind that is not known here",
  transfer_fee: "one of its tokens takes a fee on every transfer",
  transfer_hook: "one of its tokens calls a program on every transfer",
} as const

/** Trading this token through the service is disabled. */
export class TradingNotAllowed extends Schema.TaggedError<TradingNotAllowed>()("TradingNotAllowed", {
  mintAddress: field(Schema.String, "Mint of the token"),
}) {
  static readonly response = respondWith(TradingNotAllowed, {
    status: 403,
    code: "trading_not_allowed",
    message: ({ mintAddress }) => `Token ${mintAddress} is not whitelisted for trading`,
  })
}
