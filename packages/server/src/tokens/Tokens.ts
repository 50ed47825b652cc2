import type { TokenConfig, TokenDetails, TokenId } from "@launch-registry/domain/tokens/Token"
import type { TokenChange, TokenDraft } from "@launch-registry/domain/tokens/TokenDraft"
import { MintAlreadyRegistered, TokenNotFound } from "@launch-registry/domain/tokens/TokenErrors"
import type { PopularInterval, TokenFilter } from "@launch-registry/domain/tokens/TokensApi"
import { PgClient } from "@effect/sql-pg/PgClient"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import type { Stretch } from "../http/AnswerList.ts"
import { UuidV7 } from "../ids/UuidV7.ts"
import { listTokens, type TokenScope } from "./ListTokens.ts"
import { popularTokens } from "./PopularTokens.ts"
import { searchTokens } from "./SearchTokens.ts"
import { fromTokenConfig } from "./TokenConfigRow.ts"
import { TOKEN_DETAILS_COLUMNS, type TokenDetailsRow, type TokenRow, toTokenDetails } from "./TokenRow.ts"

/** The registry of tokens: owner of `tokens`, `token_tags` and `token_dbc_configs`. A deleted token is gone for every read. */
export class Tokens extends Context.Service<
  Tokens,
  {
    /** A token that only the chain has registered so far is completed. */
    readonly create: (draft: TokenDraft) => Effect.Effect<TokenDetails, MintAlreadyRegistered>
    readonly getById: (id: TokenId) => Effect.Effect<TokenDetails, TokenNotFound>
    readonly getByMint: (mintAddress: string) => Effect.Effect<TokenDetails, TokenNotFound>
    readonly isRegistered: (mintAddress: string) => Effect.Effect<boolean>
    readonly list: (scope: TokenScope, stretch: Stretch) => Effect.Effect<ReadonlyArray<TokenRow>>
    readonly search: (
      term: string,
      scope: TokenScope,
      stretch: Stretch,
    ) => Effect.Effect<ReadonlyArray<TokenRow & { readonly rank: number }>>
    readonly listPopular: (
      interval: PopularInterval,
      limit: number,
      filter: TokenFilter,
    ) => Effect.Effect<ReadonlyArray<TokenRow>>
    readonly update: (id: TokenId, change: TokenChange) => Effect.Effect<TokenDetails, TokenNotFound>
    readonly remove: (id: TokenId) => Effect.Effect<void, TokenNotFound>
  }
>()("@launch-registry/server/tokens/Tokens") {
  static readonly layer = Layer.effect(
    Tokens,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const pg = yield* PgClient
      const ids = new UuidV7()
      const detailColumns = sql.literal(TOKEN_DETAILS_COLUMNS)

      const selectById = (id: string) => sql<TokenDetailsRow>`
        select ${detailColumns} from tokens t left join token_dbc_configs c on c.token_id = t.id
        where t.id = ${id}::uuid and t.deleted_at is null`

      const selectByMint = (mintAddress: string) => sql<TokenDetailsRow>`
        select ${detailColumns} from tokens t left join token_dbc_configs c on c.token_id = t.id
        where t.mint_address = ${mintAddress} and t.deleted_at is null`

      const insertToken = (id: string, draft: TokenDraft, createdAt: Date, now: Date) => {
        const { tags: _tags, tokenConfig: _tokenConfig, ...columns } = draft
        return sql`insert into tokens ${sql.insert({ id, ...columns, createdAt, updatedAt: now })}`
      }

      /** A token that only the chain has registered makes room for whoever completes it; its id and time stay. */
      const takeFromChain = Effect.fnUntraced(function* (mintAddress: string) {
        const [found] = yield* sql<{ readonly id: string; readonly createdAt: Date }>`
          select id, created_at from tokens
          where mint_address = ${mintAddress} and registered_by = 'chain' and deleted_at is null for update`
        if (found === undefined) return undefined
        yield* sql`delete from token_dbc_configs where token_id = ${found.id}::uuid`
        yield* sql`delete from token_tags where token_id = ${found.id}::uuid`
        yield* sql`delete from tokens where id = ${found.id}::uuid`
        return found
      })

      const setTags = (id: string, given: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const tags = [...new Set(given)]
          yield* sql`delete from token_tags where token_id = ${id}::uuid`
          yield* sql`
            insert into token_tags (tag, token_id, launchpad, active, created_at)
            select tag, t.id, t.launchpad, t.active, t.created_at
            from tokens t, unnest(${tags}::text[]) as tag where t.id = ${id}::uuid`
          yield* sql`update tokens set tags = ${tags}::text[] where id = ${id}::uuid`
        })

      const insertConfig = (id: string, config: TokenConfig) =>
        sql`insert into token_dbc_configs ${sql.insert(fromTokenConfig(id, config, pg.json))}`

      const first = (rows: ReadonlyArray<TokenDetailsRow>, token: string) =>
        rows[0] === undefined ? Effect.fail(new TokenNotFound({ token })) : Effect.succeed(toTokenDetails(rows[0]))

      const getById = Effect.fn("Tokens.getById")(function* (id: TokenId) {
        return yield* first(yield* Effect.orDie(selectById(id)), id)
      })

      const getByMint = Effect.fn("Tokens.getByMint")(function* (mintAddress: string) {
        return yield* first(yield* Effect.orDie(selectByMint(mintAddress)), mintAddress)
      })

      const isRegistered = Effect.fn("Tokens.isRegistered")(function* (mintAddress: string) {
        const rows = yield* sql`
          select 1 from tokens where mint_address = ${mintAddress} and deleted_at is null`.pipe(Effect.orDie)
        return rows.length > 0
      })

      /** Names the token that the mint is, unless that was deleted in between. */
      const alreadyRegistered = Effect.fnUntraced(function* (mintAddress: string) {
        const [token] = yield* sql<{ readonly id: string }>`
          select id from tokens where mint_address = ${mintAddress} and deleted_at is null`.pipe(Effect.orDie)
        return yield* new MintAlreadyRegistered({ mintAddress, ...token })
      })

      const create = Effect.fn("Tokens.create")(function* (draft: TokenDraft) {
        const millis = yield* Clock.currentTimeMillis
        const now = new Date(millis)
        const insert = Effect.gen(function* () {
          const launched = yield* takeFromChain(draft.mintAddress)
          const id = launched?.id ?? ids.next(millis)
          yield* insertToken(id, draft, launched?.createdAt ?? now, now)
          yield* sql`
            update tokens set active = false
            where id = ${id}::uuid and exists (
              select from dbc_pools where base_mint = ${draft.mintAddress} and migrated_slot is not null)`
          if (draft.tags !== undefined && draft.tags.length > 0) yield* setTags(id, draft.tags)
          if (draft.tokenConfig !== undefined) yield* insertConfig(id, draft.tokenConfig)
          const [row] = yield* selectById(id)
          return toTokenDetails(row!)
        }).pipe(sql.withTransaction)
        return yield* insert.pipe(
          // The chain may have registered it in between: then there is something to complete.
          Effect.retry({ times: 1, while: isUniqueViolation }),
          Effect.catch((error) =>
            isUniqueViolation(error) ? alreadyRegistered(draft.mintAddress) : Effect.die(error),
          ),
        )
      })

      const update = Effect.fn("Tokens.update")(function* (id: TokenId, change: TokenChange) {
        const { tags, ...columns } = change
        const updatedAt = new Date(yield* Clock.currentTimeMillis)
        return yield* Effect.gen(function* () {
          const rows = yield* sql`
            update tokens set ${sql.update({ ...columns, updatedAt })}
            where id = ${id}::uuid and deleted_at is null returning id`
          if (rows.length === 0) return yield* new TokenNotFound({ token: id })
          if (tags !== undefined) yield* setTags(id, tags)
          else if (change.active !== undefined) {
            yield* sql`update token_tags set active = ${change.active} where token_id = ${id}::uuid`
          }
          return yield* first(yield* selectById(id), id)
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      })

      const remove = Effect.fn("Tokens.remove")(function* (id: TokenId) {
        const deletedAt = new Date(yield* Clock.currentTimeMillis)
        yield* Effect.gen(function* () {
          const rows = yield* sql`
            update tokens set deleted_at = ${deletedAt} where id = ${id}::uuid and deleted_at is null returning id`
          if (rows.length === 0) return yield* new TokenNotFound({ token: id })
          yield* sql`delete from token_tags where token_id = ${id}::uuid`
        }).pipe(sql.withTransaction, Effect.catchTag("SqlError", Effect.die))
      })

      return Tokens.of({
        create,
        getById,
        getByMint,
        isRegistered,
        list: (scope, stretch) => Effect.orDie(listTokens(sql, scope, stretch)),
        search: (term, scope, stretch) => Effect.orDie(searchTokens(sql, term, scope, stretch)),
        listPopular: (interval, limit, filter) => Effect.orDie(popularTokens(sql, interval, limit, filter)),
        update,
        remove,
      })
    }),
  )
}

const isUniqueViolation = (error: unknown): boolean => isSqlError(error) && error.reason._tag === "UniqueViolation"
