import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { Data, DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { pageLimit, pagingFields } from "../http/Paging.ts"
import { Address } from "../solana/Address.ts"
import { balanceMints, WalletBalances } from "./WalletBalances.ts"
import { WALLET_LAUNCHES_MAX, WALLET_TRADES_MAX, WalletFigures, WalletToken } from "./WalletToken.ts"

/** Tokens of a page: four accounts of each are read at most, and a request for accounts takes a hundred. */
export const WALLET_LIMIT = 25

const WalletTokens = Schema.Struct({ ...DataList(WalletToken).fields, wallet: WalletFigures }).annotate({
  identifier: "WalletTokens",
})

/** `/api/wallets`. */
export class WalletsApi extends HttpApiGroup.make("wallets")
  .add(
    HttpApiEndpoint.get("tokens", "/:address", {
      params: { address: field(Address, "Wallet") },
      query: { limit: pageLimit(WALLET_LIMIT, WALLET_LIMIT), cursor: pagingFields.cursor },
      success: WalletTokens,
    }).annotateMerge(
      describe(
        "List the tokens of a wallet",
        `Registered tokens of the newest ${WALLET_TRADES_MAX} trades and ${WALLET_LAUNCHES_MAX} launches of the wallet as indexed, newest first, as a page: what it holds of each and what that is worth, what it bought and sold, and the fees that it can claim. Tokens that it only received by transfer are not among them, nor what other token accounts than the associated one hold. Amounts and fees are read from the chain at one slot; while the chain cannot be asked they are null, and \`wallet.unread\` says so. A cursor goes on with what was known when the first page was read.`,
      ),
    ),
    HttpApiEndpoint.get("balances", "/:address/balances", {
      params: { address: field(Address, "Wallet") },
      query: { mintAddresses: Schema.optionalKey(balanceMints) },
      success: Data(WalletBalances),
    }).annotateMerge(
      describe(
        "Read balances of a wallet",
        "SOL and tokens that the wallet holds now, of mints that are not registered, too.",
      ),
    ),
  )
  .prefix("/api/wallets")
  .annotateMerge(
    OpenApi.annotations({ title: "Wallets", description: "What a wallet holds, has launched and can claim" }),
  ) {}
