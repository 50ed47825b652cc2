import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** The wallet cannot pay for the launch, or the fees of this transaction and of those that it has on their way. */
export class InsufficientFunds extends Schema.TaggedError<InsufficientFunds>()("InsufficientFunds", {
  signer: field(Schema.String, "Wallet of the request"),
  mintAddress: field(Schema.String, "Token that is missing; the mint of wrapped SOL stands for SOL"),
  held: field(Schema.String, "What the wallet has, in smallest units (lamports of SOL), a decimal string"),
  required: field(Schema.String, "What it needs at least, in smallest units, a decimal string"),
  shortfall: field(Schema.String, "What is missing, in smallest units, a decimal string"),
}) {
  static readonly of = (signer: string, mintAddress: string, held: bigint, required: bigint) =>
    new InsufficientFunds({
      ...{ signer, mintAddress, held: String(held), required: String(required) },
      shortfall: String(held < required ? required - held : 0n),
    })

  static readonly response = respondWith(InsufficientFunds, {
    status: 409,
    code: "insufficient_funds",
    message: ({ held, mintAddress, required, shortfall, signer }) =>
      shortfall === "0"
        ? `${signer} has ${held} ${unitOf(mintAddress)}, which is not enough`
        : `${signer} lacks ${shortfall} ${unitOf(mintAddress)}: it has ${held}, and needs ${required} at least`,
  })
}

const unitOf = (mint: string): string =>
  mint === "So11111111111111111111111111111111111111112" ? "lamports" : `smallest units of ${mint}`
