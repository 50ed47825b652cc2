import { Schema } from "effect"
import { amountText, type CountedToken } from "../amounts/AmountText.ts"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** The wallet cannot pay for the launch, or the fees of this transaction and of those that it has on their way. */
export class InsufficientFunds extends Schema.TaggedError<InsufficientFunds>()("InsufficientFunds", {
  signer: field(Schema.String, "Wallet of the request"),
  mintAddress: field(Schema.String, "Token that is missing; the mint of wrapped SOL stands for SOL"),
  decimals: field(Schema.Int, "Decimals of the token"),
  held: field(Schema.String, "What the wallet has, in smallest units (lamports of SOL), a decimal string"),
  required: field(Schema.String, "What it needs at least, in smallest units, a decimal string"),
  shortfall: field(Schema.String, "What is missing, in smallest units, a decimal string"),
}) {
  static readonly of = (signer: string, token: Required<CountedToken>, held: bigint, required: bigint) =>
    new InsufficientFunds({
      ...{ signer, mintAddress: token.mint, decimals: token.decimals, held: String(held), required: String(required) },
      shortfall: String(held < required ? required - held : 0n),
    })

  static readonly response = respondWith(InsufficientFunds, {
    status: 409,
    code: "insufficient_funds",
    message: ({ decimals, held, mintAddress, required, shortfall, signer }) => {
      const text = (units: string) => amountText(BigInt(units), { mint: mintAddress, decimals })
      return shortfall === "0"
        ? `${signer} has ${text(held)}, which is not enough`
        : `${signer} lacks ${text(shortfall)}: it has ${text(held)}, and needs ${text(required)} at least`
    },
  })
}
