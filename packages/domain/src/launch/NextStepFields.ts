import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"

/** What follows, as builders of transactions answer it. */
export const nextStepFields = {
  message: field(Schema.String, "Next step"),
  missingPrograms: Schema.optionalKey(
    field(
      Schema.Array(Address),
      "Programs that the local chain cannot execute, so that the transaction cannot land yet; absent on a cluster, and where none is missing",
    ),
  ),
}
