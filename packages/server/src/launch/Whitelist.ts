import { NotFound } from "@launch-registry/domain/http/NotFound"
import { TradingNotAllowed } from "@launch-registry/domain/launch/LaunchErrors"
import type { WhitelistEntry } from "@launch-registry/domain/launch/WhitelistReads"
import type { Address } from "@launch-registry/domain/solana/Address"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { keysetPage, type ListedTable } from "@launch-registry/postgres/KeysetPage"
import { Tokens } from "../tokens/Tokens.ts"

const DECISIONS: ListedTable = { from: "token_whitelist t", keys: ["t.updated_at", "t.mint_address"] }

export interface WhitelistRow {
  readonly mintAddress: Address
  readonly whitelisted: boolean
  readonly updatedAt: Date
}

/** Position of a decision in the list. */
export interface WhitelistPosition {
  readonly updatedAt: Date
  readonly mintAddress: string
}

export const toEntry = ({ mintAddress, updatedAt, whitelisted }: WhitelistRow): WhitelistEntry => ({
  ...{ mintAddress, whitelisted, updatedAt: timestampOf(updatedAt) },
})

const make = Effect.fnUntraced(function* (isRequired: boolean) {
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

  /** Idempotent: the same decision again keeps its time. */
  const set = Effect.fn("Whitelist.set")(function* (mintAddress: string, whitelisted: boolean) {
    if (!(yield* tokens.isRegistered(mintAddress))) return yield* new NotFound({ resource: "token", id: mintAddress })
    const now = new Date(yield* Clock.currentTimeMillis)
    const [row] = yield* Effect.orDie(upsert(mintAddress, whitelisted, now))
    return toEntry(row!)
  })

  const isTradable = (row: WhitelistRow | undefined): boolean => row?.whitelisted ?? !isRequired

  /** Fails for a token that is not registered and was never on the list. */
  const stateOf = Effect.fn("Whitelist.stateOf")(function* (mintAddress: Address) {
    const [row] = yield* Effect.orDie(select(mintAddress))
    if (row === undefined && !(yield* tokens.isRegistered(mintAddress)))
      return yield* new NotFound({ resource: "token", id: mintAddress })
    const undecided = { mintAddress, whitelisted: false, updatedAt: null }
    return { ...(row === undefined ? undecided : toEntry(row)), tradable: isTradable(row) }
  })

  /** The last decision first. */
  const list = (whitelisted: boolean | undefined, { after, limit, offset }: RowRange<WhitelistPosition>) => {
    const conditions = whitelisted === undefined ? [] : [sql`t.whitelisted = ${whitelisted}`]
    const range = { limit, offset, after: after && ([after.updatedAt, after.mintAddress] as const) }
    const columns = "t.mint_address, t.whitelisted, t.updated_at"
    return Effect.orDie(keysetPage<WhitelistRow>(sql, DECISIONS, columns, conditions, range))
  }

  /** Refuses a token that was taken off the list, or that is not on it when the list is required. */
  const requireTradable = Effect.fn("Whitelist.requireTradable")(function* (mintAddress: string) {
    const [row] = yield* Effect.orDie(select(mintAddress))
    if (!isTradable(row)) return yield* new TradingNotAllowed({ mintAddress })
  })

  return { set, stateOf, list, requireTradable }
})

/** Which tokens may be traded through the service: owner of `token_whitelist`. */
export class Whitelist extends Context.Service<Whitelist, Effect.Success<ReturnType<typeof make>>>()(
  "@launch-registry/server/launch/Whitelist",
) {
  static readonly layer = (options: { readonly isRequired: boolean }) =>
    Layer.effect(Whitelist, make(options.isRequired))
}
