import { regularly } from "@launch-registry/postgres/Regularly"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

const FILL_MILLIS = 10_000
/** Tags per transaction. */
const BATCH = 500
const FIRST_ID = "00000000-0000-0000-0000-000000000000"

/**
 * Gives the next tags after those of a token the mints of their tokens, where a process of an earlier version wrote them without, and all else that
 * they have of their tokens. Passes over tags of locked tokens. Returns the last token; undefined if there are no more tags.
 */
export const fillTagMintsAfter = Effect.fnUntraced(function* (after: string) {
  const sql = yield* SqlClient
  return yield* Effect.gen(function* () {
    // A process whose host is down holds no locks.
    yield* sql`
      select set_config('plan_cache_mode', 'force_custom_plan', true), set_config('enable_seqscan', 'off', true),
        set_config('idle_in_transaction_session_timeout', '10s', true)`
    // Whoever writes the tags of a token locks the token first, so nobody waits.
    const [read] = yield* sql<{ readonly count: number; readonly last: string }>`
      with unfilled as materialized (
        select token_id from token_tags where mint_address is null and token_id > ${after}::uuid
        order by token_id limit ${BATCH}
      ), free as materialized (
        select id, mint_address, mint_number, launchpad, active, created_at from tokens
        where id = any(array(select token_id from unfilled)) for no key update skip locked
      ), filled as (
        update token_tags g set mint_address = free.mint_address, mint_number = free.mint_number, launchpad = free.launchpad,
          active = free.active, created_at = free.created_at
        from free where g.token_id = free.id and g.token_id = any(array(select id from free)) and g.mint_address is null
      )
      select count(*)::int as count, (select token_id from unfilled order by token_id desc limit 1) as last from unfilled`
    return read!.count < BATCH ? undefined : read!.last
  }).pipe(sql.withTransaction)
})

/** Fills all tags without mints: an index has these, and is empty otherwise. */
export const fillTagMints = Effect.gen(function* () {
  let after: string | undefined = FIRST_ID
  while (after !== undefined) after = yield* fillTagMintsAfter(after)
})

/** Fills tags for the lifetime of the process. */
export const FillTagMintsLayer = Layer.effectDiscard(
  Effect.gen(function* () {
    const context = yield* Effect.context<SqlClient>()
    yield* Effect.forkScoped(
      regularly("Giving tags the mints of their tokens", FILL_MILLIS, Effect.provide(fillTagMints, context)),
    )
  }),
)
