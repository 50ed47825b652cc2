import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const NUMBER_MILLIS = 1_000
/** Mints per transaction: each token is a new version of its row. */
const BATCH = 500

/**
 * Gives tokens and their tags the numbers of their mints, which a mint has soon after its launch; a trigger gives them to tokens that are registered later.
 * Goes through the next mints, up to one whose token is locked; returns whether there may be more. A token without a number is found by its mint, so
 * it does not matter when, nor whether one is passed over that is being registered. Of all processes one at a time.
 */
export const numberTokens = Effect.gen(function* () {
  const sql = yield* SqlClient
  return yield* Effect.gen(function* () {
    // The plan for any parameters reads all tokens, and so could a join. A process whose host is down holds no locks.
    yield* sql`
      select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
        set_config('idle_in_transaction_session_timeout', '10s', true)`
    const [progress] = yield* sql<{ readonly number: bigint }>`
      select number from token_number_progress for update skip locked`
    if (progress === undefined) return false
    // Nothing is waited for, or this and whoever locks tokens in another order would wait for each other.
    const [next] = yield* sql<{ readonly count: number; readonly last: bigint | null; readonly locked: bigint | null }>`
      with next as materialized (
        select base_mint, number from mint_numbers where number > ${progress.number} order by number limit ${BATCH}
      ), outdated as materialized (
        select t.id, n.number from next n cross join lateral (
          select id, mint_number from tokens where mint_address = n.base_mint and deleted_at is null limit 1
        ) t
        where t.mint_number is distinct from n.number
      ), free as materialized (
        select id from tokens where id = any(array(select id from outdated)) for no key update skip locked
      ), numbered as (
        update tokens t set mint_number = o.number from outdated o
        where t.id = o.id and t.id = any(array(select id from free))
      ), tagged as (
        update token_tags g set mint_number = o.number from outdated o
        where g.token_id = o.id and g.token_id = any(array(select id from free))
      )
      select (select count(*)::int from next) as count, (select max(number) from next) as last,
        (select min(number) from outdated where id not in (select id from free)) as locked`
    const { count, last, locked } = next!
    if (last !== null) yield* sql`update token_number_progress set number = ${locked === null ? last : locked - 1n}`
    return count === BATCH && locked === null
  }).pipe(sql.withTransaction)
})

/** Begins at the first mint again: tokens of a transaction that took long may have been passed over. */
export const numberAllTokens = (sql: SqlClient) => sql`update token_number_progress set number = 0`

/** Numbers tokens for the lifetime of the process. */
export const NumberTokensLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const context = yield* Effect.context<SqlClient>()
    const step = Effect.provide(numberTokens, context)
    const catchUp = Effect.repeat(step, { while: (more) => more })
    yield* Effect.forkScoped(regularly("Numbering tokens", NUMBER_MILLIS, catchUp))
  }),
)
