import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { expiresInSeconds } from "./ExpiresInSeconds.ts"
import { nextStepFields } from "./NextStepFields.ts"
import { LaunchCost, WalletFunds } from "./LaunchCost.ts"

/** An unsigned transaction, as builders of one answer it. */
export const unsignedFields = {
  transaction: field(
    Schema.String,
    "Transaction in base64, of the version that was asked for, with an empty signature for the signer",
  ),
  blockhash: field(Schema.String, "Recent blockhash of the transaction, base58"),
  lastValidBlockHeight: field(Schema.String, "Block height after which the transaction cannot land, a decimal string"),
  expiresInSeconds,
  slot: field(Schema.String, "Slot at which the blockhash was read, a decimal string"),
  computeUnitLimit: field(Schema.Int, "Compute unit limit of the transaction"),
  priorityFeeLamports: field(Schema.String, "Priority fee of the transaction, in lamports, a decimal string"),
  ...nextStepFields,
}

/** What a transaction takes from the wallet, and whether it can pay. */
export const paid = { cost: LaunchCost, wallet: WalletFunds }
