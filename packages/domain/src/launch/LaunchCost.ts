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
          "…_rent: balance that an account needs to exist. token_metadata_fee: of the Token Metadata program. pool_creation_fee: of the configuration. first_buy: SOL that is sent. network_fee: signatures",
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
    "What the transactions take from the wallet, exactly, once all have landed. Less if an account has received lamports before it is created",
})
export type LaunchCost = typeof LaunchCost.Encoded

/** Whether the wallet can pay. */
export const WalletFunds = Schema.Struct({
  lamports: lamports("Balance of the wallet"),
  required: lamports(
    "Balance with which the transactions land: the cost, and rent that is returned or stays in the wallet",
  ),
  shortfall: lamports("What is missing; 0 if nothing is"),
  sufficient: field(Schema.Boolean, "Whether the wallet can pay"),
}).annotate({ identifier: "WalletFunds", description: "Whether the wallet can pay, as of this answer" })
export type WalletFunds = typeof WalletFunds.Encoded
