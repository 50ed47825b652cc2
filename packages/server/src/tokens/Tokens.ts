import type { Forbidden } from "@launch-registry/domain/http/AccessErrors"
import { requireCredential } from "@launch-registry/domain/access/Caller"
import type { AlreadyExists } from "@launch-registry/domain/http/AlreadyExists"
import type { LimitReached } from "@launch-registry/domain/http/LimitErrors"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import type { NotConfigured } from "@launch-registry/domain/http/Unavailable"
import type { TokenDetails, TokenId } from "@launch-registry/domain/tokens/Token"
import type { TokenChange, TokenDraft, TokenVerification } from "@launch-registry/domain/tokens/TokenDraft"
import { ChainContradicted, TokenRenamed } from "@launch-registry/domain/tokens/TokenErrors"
import { PgClient } from "@effect/sql-pg/PgClient"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import { writeDays } from "@launch-registry/http/limits/WriteDays"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { rowsByKey } from "@launch-registry/postgres/RowsByKey"
import { listings } from "../markets/Listings.ts"
import { contradictionsOfChange, selectChainFacts } from "../facts/ChainFacts.ts"
import type { FoundPosition, FoundTokens } from "./FoundTokens.ts"
import { lockRegistration } from "../markets/LaunchLock.ts"
import { listTokens, type TokenScope } from "./ListTokens.ts"
import { type PopularQuery, popularTokens, type RankedTokenRow } from "./PopularTokens.ts"
import { registerToken, storedTags } from "./RegisterToken.ts"
import { searchTokens } from "./SearchTokens.ts"
import { tokenSkeletons } from "../trust/TokenSkeletons.ts"
import { requireOwner } from "./TokenOwner.ts"
import { selectTokenById, selectTokenDetails, type TokenDetailsRow, type TokenRow, toTokenDetails } from "./TokenRow.ts"

interface OwnedRow {
  readonly mintAddress: string
  readonly owner: string
}

/** The registry of tokens: owner of `tokens`. Deleted tokens are invisible. */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** Completes a token that was registered from the chain. */
    readonly create: (
      draft: TokenDraft,
    ) => Effect.Effect<TokenDetails, AlreadyExists | ChainContradicted | LimitReached | Forbidden>
    readonly getById: (id: TokenId) => Effect.Effect<TokenDetails, NotFound>
    readonly getByMint: (mintAddress: string) => Effect.Effect<TokenDetails, NotFound>
    readonly isRegistered: (mintAddress: string) => Effect.Effect<boolean>
    readonly list: (scope: TokenScope, range: RowRange) => Effect.Effect<ReadonlyArray<TokenRow>>
    readonly search: (term: string, scope: TokenScope, range: RowRange<FoundPosition>) => Effect.Effect<FoundTokens>
    readonly listPopular: (query: PopularQuery) => Effect.Effect<ReadonlyArray<TokenRow | RankedTokenRow>>
    readonly update: (
      id: TokenId,
      change: TokenChange,
    ) => Effect.Effect<TokenDetails, NotFound | ChainContradicted | Forbidden>
    /** The same again changes nothing. */
    readonly verify: (
      id: TokenId,
      verification: TokenVerification,
    ) => Effect.Effect<TokenDetails, NotFound | TokenRenamed | NotConfigured>
    readonly remove: (id: TokenId) => Effect.Effect<void, NotFound | Forbidden>
  }
>()("@launch-registry/server/tokens/Tokens") {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pg = yield* PgClient
      const register = registerToken(sql, pg.json)
      const days = yield* writeDays("records_today")
      const listed = listings(sql)
      const skeletons = tokenSkeletons(sql)
      const rowById = rowsByKey<TokenDetailsRow>(
        ({ id }) => id,
        (ids) => selectTokenDetails(sql, sql`t.id = ${anyKey(sql, ids, "uuid")}`),
      )
      const rowByMint = rowsByKey<TokenDetailsRow>(
        ({ mintAddress }) => mintAddress,
        (mints) => selectTokenDetails(sql, sql`t.mint_address = ${anyKey(sql, mints, "text")}`),
      )

      const found = (row: TokenDetailsRow | undefined, token: string) =>
        row === undefined
          ? Effect.fail(new NotFound({ resource: "token", id: token }))
          : Effect.succeed(toTokenDetails(row))

      const getById = (id: TokenId) => Effect.flatMap(Effect.orDie(rowById(id.toLowerCase())), (row) => found(row, id))

      const getByMint = (mintAddress: string) =>
        Effect.flatMap(Effect.orDie(rowByMint(mintAddress)), (row) => found(row, mintAddress))

      const isRegistered = Effect.fn("Tokens.isRegistered")(function* (mintAddress: string) {
        const rows = yield* sql`
          select 1 from tokens where mint_address = ${mintAddress} and deleted_at is null`.pipe(Effect.orDie)
        return rows.length > 0
      })

      const create = Effect.fn("Tokens.create")(function* (draft: TokenDraft) {
        const now = new Date(yield* Clock.currentTimeMillis)
        const attempt = Effect.gen(function* () {
          const { isLaunched, row } = yield* register(draft, now)
          yield* isLaunched ? skeletons.derive([row.mintAddress]) : skeletons.deriveUnlaunched(row)
          return toTokenDetails(row)
        }).pipe(sql.withTransaction, days.counting)
        return yield* attempt.pipe(
          // Lost a race against another registration: the second attempt finds that one.
          Effect.retry({ times: 1, while: isUniqueViolation }),
          Effect.catchTag("SqlError", Effect.die),
        )
      })

      /** Whether a change gives a token another name or symbol: what was verified had the ones before. */
      const renames = ({ name, symbol }: TokenChange, id: string) =>
        name === undefined && symbol === undefined
          ? Effect.succeed(false)
          : Effect.map(
              sql`
                select from tokens where id = ${id}::uuid
                  and (name, symbol) is distinct from (coalesce(${name ?? null}, name), coalesce(${symbol ?? null}, symbol))`,
              ({ length }) => length > 0,
            )

      const update = Effect.fn("Tokens.update")(function* (id: TokenId, change: TokenChange) {
        const { tags: sent, ...columns } = change
        const tags = sent && storedTags(sent)
        const updatedAt = new Date(yield* Clock.currentTimeMillis)
        return yield* Effect.gen(function* () {
          yield* lockRegistration(sql)
          // Locked before reading chain facts: a launch applied meanwhile waits, and then corrects this row.
          const [token] = yield* sql<OwnedRow>`
            select mint_address, owner from tokens where id = ${id}::uuid and deleted_at is null for update`
          if (token === undefined) return yield* new NotFound({ resource: "token", id })
          yield* requireOwner(sql, token)
          const { mintAddress } = token
          const [facts] = yield* selectChainFacts(sql, [mintAddress])
          const contradictions = facts === undefined ? [] : contradictionsOfChange(change, facts)
          if (contradictions.length > 0)
            return yield* new ChainContradicted({ resource: "token", id: mintAddress, contradictions })
          const renamed = yield* renames(change, id)
          const unverified = renamed ? { verified: false } : {}
          yield* sql`update tokens set ${sql.update({ ...columns, ...(tags && { tags }), ...unverified, updatedAt })} where id = ${id}::uuid`
          if (renamed) yield* skeletons.derive([mintAddress])
          const [row] = yield* selectTokenById(sql, id)
          return yield* found(row, id)
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      })

      const verify = Effect.fn("Tokens.verify")(function* (id: TokenId, { name, symbol, verified }: TokenVerification) {
        yield* requireCredential
        const updatedAt = new Date(yield* Clock.currentTimeMillis)
        return yield* Effect.gen(function* () {
          yield* lockRegistration(sql)
          // Locked: its owner cannot change the name between the comparison and the mark.
          const [token] = yield* sql<{ readonly name: string; readonly symbol: string }>`
            select name, symbol from tokens where id = ${id}::uuid and deleted_at is null for update`
          if (token === undefined) return yield* new NotFound({ resource: "token", id })
          if ((name ?? token.name) !== token.name || (symbol ?? token.symbol) !== token.symbol)
            return yield* new TokenRenamed({ id, ...token })
          const [changed] = yield* sql<{ readonly mintAddress: string }>`
            update tokens set verified = ${verified}, updated_at = ${updatedAt}
            where id = ${id}::uuid and deleted_at is null and verified <> ${verified} returning mint_address`
          if (changed !== undefined) yield* skeletons.derive([changed.mintAddress])
          const [row] = yield* selectTokenById(sql, id)
          return yield* found(row, id)
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      })

      const remove = Effect.fn("Tokens.remove")(function* (id: TokenId) {
        const deletedAt = new Date(yield* Clock.currentTimeMillis)
        yield* Effect.gen(function* () {
          yield* lockRegistration(sql)
          const [token] = yield* sql<OwnedRow>`
            select mint_address, owner from tokens where id = ${id}::uuid and deleted_at is null for update`
          if (token === undefined) return yield* new NotFound({ resource: "token", id })
          yield* requireOwner(sql, token)
          yield* listed.register([token.mintAddress], false)
          yield* sql`update tokens set deleted_at = ${deletedAt} where id = ${id}::uuid`
          yield* skeletons.derive([token.mintAddress])
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      })

      return Tokens.of({
        create,
        getById,
        getByMint,
        isRegistered,
        list: (scope, range) => Effect.orDie(listTokens(sql, scope, range)),
        search: (term, scope, range) => Effect.orDie(searchTokens(sql, term, scope, range)),
        listPopular: (query) => Effect.orDie(popularTokens(sql, query)),
        update,
        verify,
        remove,
      })
    }),
  )
}

const isUniqueViolation = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "UniqueViolation"
