import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"

const amount = (token: "base" | "quote") =>
  field(Schema.String, `What the pool or the owner received, in smallest units of the ${token} token, a decimal string`)

/** What a list and an event say of a change of liquidity. */
export const LiquidityMove = Schema.Struct({
  change: field(
    Schema.Literals(["added", "withdrawn"]),
    "added: into the pool, by anybody. withdrawn: out of it, by who holds the NFT of the position",
  ),
  owner: field(Address, "Wallet that held the NFT of the position and signed"),
  position: field(Address, "Account of the position"),
  baseAmount: amount("base"),
  quoteAmount: amount("quote"),
  liquidity: field(Schema.String, "By how much the liquidity of the pool changed, Q64.64, a decimal string"),
})
