import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"

/** What a launch pays for. */
export const CostItem = Schema.Literals([
  "config_rent",
  "mint_rent",
  "pool_rent",
  "vault_rent",
  "token_metadata_rent",
  "token_metadata_fee",
  "pool_metadata_rent",
  "pool_creation_fee",
  "token_account_rent",
  "first_buy",
  "network_fee",
  "priority_fee",
])
export type CostItem = typeof CostItem.Type

const lamports = (what: string) => field(Schema.String, `${what}, in lamports, a decimal string`)

/** What transactions take from the wallet, with its parts. */
export const LaunchCost = Schema.Struct({
  total: lamports("Sum of the parts"),
  parts: field(
    Schema.Array(
      Schema.Struct({
        item: field(
          CostItem,
          "…_rent: what keeps an account of the launch alive. token_metadata_fee: of the Token Metadata program. pool_creation_fee: of the configuration. token_account_rent: of the wallet's account for the new token. first_buy: SOL that is sent. network_fee: signatures. priority_fee: of the transaction",
        ),
        account: field(Schema.NullOr(Address), "Account that receives the lamports; null for the fees of the network"),
        lamports: lamports("Amount"),
      }).annotate({ identifier: "CostPart", description: "A part of what a launch costs" }),
    ),
    "The parts, in the order of the transactions",
  ),
}).annotate({
  identifier: "LaunchCost",
  description:
    "What the transactions take from the wallet, exactly, once all have landed. Less if somebody has sent lamports to an account before it is created",
})
export type LaunchCost = typeof LaunchCost.Encoded

/** Whether the wallet can pay. */
export const WalletFunds = Schema.Struct({
  lamports: lamports("Balance of the wallet"),
  required: lamports(
    "Balance with which the transactions land: the cost, and what has to be there besides (a wallet must keep its own rent, and an account for wrapped SOL is closed again)",
  ),
  shortfall: lamports("What is missing; 0 if nothing is"),
  sufficient: field(Schema.Boolean, "Whether the wallet can pay"),
}).annotate({ identifier: "WalletFunds", description: "Whether the wallet can pay, as of this answer" })
export type WalletFunds = typeof WalletFunds.Encoded
