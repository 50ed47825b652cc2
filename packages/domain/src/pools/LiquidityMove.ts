import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"

const amount = (token: "base" | "quote") =>
  field(
    Schema.NullOr(Schema.String),
    `What the pool or the owner received, in smallest units of the ${token} token, a decimal string; null where nothing was moved`,
  )

/** What a list and an event say of a change of liquidity. */
export const LiquidityMove = Schema.Struct({
  change: field(
    Schema.Literals(["added", "withdrawn", "locked", "locked_permanently", "split"]),
    "added: into the pool, by anybody. withdrawn: out of it, by who holds the NFT of the position. locked: until lockedUntil. locked_permanently: for ever. split: to toPosition",
  ),
  owner: field(Address, "Wallet that held the NFT of the position, or signed for it"),
  position: field(Address, "Account of the position"),
  baseAmount: amount("base"),
  quoteAmount: amount("quote"),
  liquidity: field(Schema.String, "Liquidity that was added, withdrawn, locked or split off, Q64.64, a decimal string"),
  lockedUntil: field(
    Schema.NullOr(Schema.String),
    "Slot or second since 1970, as the pool counts, from which all that was locked is free, a decimal string; null unless locked",
  ),
  toPosition: field(Schema.NullOr(Address), "Position that a part went to; null unless split"),
  toOwner: field(Schema.NullOr(Address), "Wallet that held the NFT of that position; null unless split"),
})
export type LiquidityMove = typeof LiquidityMove.Encoded
