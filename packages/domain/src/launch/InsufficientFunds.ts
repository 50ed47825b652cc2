import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** The wallet cannot pay for the launch. */
export class InsufficientFunds extends Schema.TaggedError<InsufficientFunds>()("InsufficientFunds", {
  signer: field(Schema.String, "Wallet of the request"),
  mint: field(Schema.String, "Token that is missing; the mint of wrapped SOL stands for SOL"),
  held: field(Schema.String, "What the wallet has, in smallest units (lamports of SOL), a decimal string"),
  required: field(Schema.String, "What it needs, in smallest units, a decimal string"),
  shortfall: field(Schema.String, "What is missing, in smallest units, a decimal string"),
}) {
  static readonly response = respondWith(InsufficientFunds, {
    status: 409,
    code: "insufficient_funds",
    message: ({ held, mint, required, shortfall, signer }) =>
      `${signer} lacks ${shortfall} ${unitOf(mint)}: it has ${held}, and the launch needs ${required}`,
  })
}

const unitOf = (mint: string): string =>
  mint === "So11111111111111111111111111111111111111112" ? "lamports" : `smallest units of ${mint}`
