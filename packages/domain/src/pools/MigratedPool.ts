import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"

const DECIMAL = "a decimal string"

const amount = (what: string, token: "base" | "quote") =>
  field(Schema.String, `${what}, in smallest units of the ${token} token, ${DECIMAL}`)
const bps = (what: string) =>
  field(Schema.Finite, `${what}, in basis points (100 is 1 %), with a fraction where the program has one`)

/** State of the DAMM v2 or v1 pool that a curve migrated to: its accounts and derived values. */
export const MigratedPool = Schema.Struct({
  pool: field(Address, "Account of the pool"),
  baseVault: field(
    Address,
    "Token account that holds the base tokens: of the pool, on DAMM v1 of the vault that pools of the token share",
  ),
  quoteVault: field(Address, "Token account that holds the quote tokens, likewise"),
  price: field(Schema.String, `Price of one whole base token, in whole quote tokens, ${DECIMAL}`),
  marketCap: field(Schema.String, `Price times the supply of the mint, in whole quote tokens, ${DECIMAL}`),
  sqrtPrice: field(
    Schema.String,
    `Square root of the price in smallest units (quote for base), times 2^64 (Q64.64), ${DECIMAL}`,
  ),
  liquidity: field(
    Schema.String,
    `Liquidity of all positions, as DAMM v2 counts it (Q64.64): on DAMM v1 the square root of the product of both reserves, ${DECIMAL}`,
  ),
  permanentLockedLiquidity: field(
    Schema.String,
    `Part of the liquidity that can never be withdrawn, in the same unit, ${DECIMAL}`,
  ),
  baseReserve: amount("Base tokens that swaps trade against, without fees", "base"),
  quoteReserve: amount("Quote tokens that swaps trade against, without fees", "quote"),
  feeBps: bps("Fee of a swap now, base fee and dynamic fee together, as far as the program caps it"),
  baseFeeBps: bps("Base fee now; with a rate limiter (baseFeeMode 2) that of the smallest buy"),
  baseFeeMode: field(
    Schema.Int,
    "How the base fee changes. 0: linearly in time. 1: exponentially in time. 2: with the size of a buy (rate limiter). 3: linearly with the price. 4: exponentially with the price. A fee that does not change is 0",
  ),
  dynamicFeeBps: bps("Dynamic fee now, which rises with volatility; 0 where it is off"),
  dynamicFeeEnabled: field(Schema.Boolean, "Whether a dynamic fee is added to the base fee"),
  collectFeeMode: field(
    Schema.Int,
    "Token in which fees are collected. 0: the output token of the swap. 1: quote token. 2: quote token, and a part goes back into the liquidity. 3: the input token of the swap (DAMM v1)",
  ),
  compoundingFeeBps: field(
    Schema.Int,
    "Part of the trading fee that goes back into the liquidity, in basis points; 0 but with collectFeeMode 2",
  ),
  isEnabled: field(Schema.Boolean, "Whether the pool accepts swaps"),
  activationPoint: field(
    Schema.String,
    `When swaps open: a slot or Unix time in seconds, by activationType, ${DECIMAL}`,
  ),
  activationType: field(Schema.Int, "Unit of time of the pool. 0: slots. 1: seconds (timestamps)"),
}).annotate({ identifier: "MigratedPool", description: "State of the DAMM v2 or v1 pool that a curve migrated to" })
export type MigratedPool = typeof MigratedPool.Encoded
