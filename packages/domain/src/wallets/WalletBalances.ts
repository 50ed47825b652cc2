import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address, addressList } from "../solana/Address.ts"

/** Two accounts of each are read, and a request for accounts takes a hundred. */
const MINTS_MAX = 49

export const balanceMints = addressList(MINTS_MAX).annotate({
  description: `Mints, registered or not: addresses comma-separated, at most ${MINTS_MAX}`,
})

/** SOL and tokens of a wallet. */
export const WalletBalances = Schema.Struct({
  slot: field(Schema.String, "Slot at which they were read, a decimal string"),
  lamports: field(Schema.String, "Balance of the wallet, in lamports, a decimal string"),
  tokens: field(
    Schema.Array(
      Schema.Struct({
        mintAddress: field(Address, "Mint of the token"),
        amount: field(Schema.String, "In smallest units of the token, a decimal string"),
      }),
    ),
    "What its associated token accounts hold, in the order of `mintAddresses`",
  ),
}).annotate({ identifier: "WalletBalances", description: "SOL and tokens of a wallet" })
