import { readBalances } from "@launch-registry/chain/accounts/Balances"
import { readWallet, type WalletShare } from "@launch-registry/chain/claims/WalletReads"
import { Pools } from "@launch-registry/chain/pools/Pools"
import { marketCapInQuote, marketCapInUsd } from "@launch-registry/chain/venues/Prices"
import { Api } from "@launch-registry/domain/Api"
import type { Address } from "@launch-registry/domain/solana/Address"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { WALLET_LIMIT } from "@launch-registry/domain/wallets/WalletsApi"
import { WALLET_LAUNCHES_MAX, WALLET_TRADES_MAX, type WalletToken } from "@launch-registry/domain/wallets/WalletToken"
import { type Answering, answersOf } from "@launch-registry/http/answers/Answers"
import { Effect, Option } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { SqlClient } from "effect/sql/SqlClient"
import { Markets } from "../markets/Markets.ts"
import { TOKEN_COLUMNS, type TokenRow, toToken } from "../tokens/TokenRow.ts"
import { walletTokens, type WalletTokenRow, walletTokensOf } from "./WalletTokens.ts"

const { respond } = answersOf("wallets")

/** What an amount is worth; the arithmetic of a market cap. */
const worth = ({ quoteDecimals, quoteUsd, sqrtPrice }: WalletTokenRow, amount: bigint | undefined) => {
  if (amount === undefined || sqrtPrice === null || quoteDecimals === null) return { value: null, valueUsd: null }
  const square = BigInt(sqrtPrice) ** 2n
  return {
    value: marketCapInQuote(BigInt(sqrtPrice), amount, quoteDecimals),
    valueUsd: quoteUsd === null ? null : marketCapInUsd(square * BigInt(quoteUsd), amount, quoteDecimals),
  }
}

const sharesOf = (row: WalletTokenRow, share: WalletShare | undefined) => ({
  ...{ decimals: row.decimals, isCreator: row.isCreator, amount: share?.amount.toString() ?? null },
  ...worth(row, share?.amount),
  trades: row.trades,
  bought: { baseAmount: row.boughtBase, quoteAmount: row.boughtQuote },
  sold: { baseAmount: row.soldBase, quoteAmount: row.soldQuote },
  lastTradeAt: row.lastTradeAt && timestampOf(row.lastTradeAt),
  claimable: share?.claimable ?? null,
})

/** Handlers of `/api/wallets`. */
export const WalletsHttp = HttpApiBuilder.group(
  Api,
  "wallets",
  Effect.fn(function* (handlers) {
    const sql = yield* SqlClient
    const pools = yield* Pools
    const markets = yield* Markets

    const tokensOf = (mints: ReadonlyArray<string>) =>
      Effect.map(
        Effect.orDie(sql<TokenRow>`
          select ${sql.literal(TOKEN_COLUMNS)} from tokens t
          where t.mint_address = any(${mints}::text[]) and t.deleted_at is null`),
        (rows) => new Map<string, TokenRow>(rows.map((row) => [row.mintAddress, row])),
      )

    return handlers.handleAll({
      tokens: Effect.fnUntraced(function* ({ params: { address }, query: { cursor, limit = WALLET_LIMIT } }) {
        const cursors = walletTokensOf("wallet", address)
        const after = cursor === undefined ? undefined : yield* cursors.decode(cursor)
        const read = yield* Effect.orDie(walletTokens(sql, address, { after, limit: limit + 1 }))
        const found = read.filter((row): row is (typeof read)[number] & WalletTokenRow => row.mintAddress !== null)
        const rows = found.slice(0, limit)
        const mints = rows.map(({ mintAddress }) => mintAddress)
        const [tokens, figures, chain] = yield* Effect.all(
          [
            tokensOf(mints),
            markets.find(mints),
            mints.length === 0 ? Effect.succeedNone : Effect.option(readWallet(pools, address, rows)),
          ],
          { concurrency: "unbounded" },
        )
        const shares = Option.getOrUndefined(chain)
        const data = rows.flatMap((row, index): ReadonlyArray<WalletToken> => {
          const [token, market] = [tokens.get(row.mintAddress), figures.get(row.mintAddress)]
          // Deleted, or its launch was reverted, since the page was read.
          if (token === undefined || market === undefined) return []
          const mintAddress = row.mintAddress as Address
          return [{ mintAddress, token: toToken(token), market, ...sharesOf(row, shares?.shares[index]) }]
        })
        const { countedLaunches, countedTrades, head, keptFrom } = read[0]!
        const last = found.length > limit ? rows.at(-1) : undefined
        const nextCursor = last === undefined ? null : cursors.encode({ ...last, head: after?.head ?? head! })
        return respond("tokens", {
          data,
          pagination: { limit, nextCursor },
          wallet: {
            ...{ address, launches: countedLaunches, trades: countedTrades },
            isWhole: countedTrades <= WALLET_TRADES_MAX && countedLaunches <= WALLET_LAUNCHES_MAX && keptFrom === 0n,
            slot: shares?.slot.toString() ?? null,
            unread: mints.length > 0 && shares === undefined ? "chain_unavailable" : null,
            links: {
              launches: `/api/launch/pools?creator=${address}&registered=any`,
              trades: `/api/launch/trades?trader=${address}`,
              claims: `/api/launch/claims?walletAddress=${address}`,
              figures: `/api/launch/creators/${address}`,
            },
          },
        })
      }),
      balances: Effect.fnUntraced(function* ({ params: { address }, query: { mintAddresses = "" } }) {
        const mints = mintAddresses.split(",").filter((mint) => mint !== "")
        const { amounts, lamports, slot } = yield* readBalances(pools.readAccounts, address, mints)
        const tokens = mints.map((mintAddress, index) => ({
          mintAddress: mintAddress as Address,
          amount: String(amounts[index]),
        }))
        return respond("balances", { data: { slot: String(slot), lamports: String(lamports), tokens } })
      }),
    } satisfies Answering<"wallets">)
  }),
)
