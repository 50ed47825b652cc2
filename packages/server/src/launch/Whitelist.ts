import { TradingNotAllowed } from "@launch-registry/domain/launch/LaunchErrors"
import { TokenNotFound } from "@launch-registry/domain/tokens/TokenErrors"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Tokens } from "../tokens/Tokens.ts"

/** A decision about a token. */
export interface WhitelistEntry {
  readonly tokenAddress: string
  readonly whitelisted: boolean
  readonly updatedAt: string
}

interface WhitelistRow {
  readonly mintAddress: string
  readonly whitelisted: boolean
  readonly updatedAt: Date
}

/** Which tokens may be traded through the service: owner of `token_whitelist`. */
export class Whitelist extends Context.Service<
  Whitelist,
  {
    /** Idempotent: the same decision again keeps its time. */
    readonly set: (mintAddress: string, whitelisted: boolean) => Effect.Effect<WhitelistEntry, TokenNotFound>
    /** Refuses a token that was taken off the list, or that is not on it when the list is required. */
    readonly requireTradable: (mintAddress: string) => Effect.Effect<void, TradingNotAllowed>
  }
>()("@launch-registry/server/launch/Whitelist") {
  static readonly layer = (options: { readonly isRequired: boolean }) =>
    Layer.effect(
      Whitelist,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const tokens = yield* Tokens

        const select = (mintAddress: string) => sql<WhitelistRow>`
          select mint_address, whitelisted, updated_at from token_whitelist where mint_address = ${mintAddress}`

        const upsert = (mintAddress: string, whitelisted: boolean, now: Date) => sql<WhitelistRow>`
          insert into token_whitelist as w (mint_address, whitelisted, updated_at)
          values (${mintAddress}, ${whitelisted}, ${now})
          on conflict (mint_address) do update set
            whitelisted = excluded.whitelisted,
            updated_at = case when w.whitelisted = excluded.whitelisted then w.updated_at else excluded.updated_at end
          returning mint_address, whitelisted, updated_at`

        const set = Effect.fn("Whitelist.set")(function* (mintAddress: string, whitelisted: boolean) {
          if (!(yield* tokens.isRegistered(mintAddress))) return yield* new TokenNotFound({ token: mintAddress })
          const now = new Date(yield* Clock.currentTimeMillis)
          const [row] = yield* Effect.orDie(upsert(mintAddress, whitelisted, now))
          return {
            tokenAddress: row!.mintAddress,
            whitelisted: row!.whitelisted,
            updatedAt: row!.updatedAt.toISOString(),
          }
        })

        const requireTradable = Effect.fn("Whitelist.requireTradable")(function* (mintAddress: string) {
          const [row] = yield* Effect.orDie(select(mintAddress))
          const isAllowed = row?.whitelisted ?? !options.isRequired
          if (!isAllowed) return yield* new TradingNotAllowed({ tokenAddress: mintAddress })
        })

        return Whitelist.of({ set, requireTradable })
      }),
    )
}
