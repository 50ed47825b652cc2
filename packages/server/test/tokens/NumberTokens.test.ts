import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { numberAllTokens, numberTokens } from "../../src/tokens/NumberTokens.ts"
import { addTags } from "../../src/tokens/SetTags.ts"

/** Registers tokens with mints of this name and these numbers, each with a tag. */
const register = (name: string, from: number, to: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`
      with inserted as (
        insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, created_at, updated_at)
        select gen_random_uuid(), ${name} || n, 'Token', 'T', 1, 6, 'somebody', 'launchpad_a', now(), now()
        from generate_series(${from}::int, ${to}::int) n returning *
      ) ${addTags(sql, sql`inserted`, ["one"])}`,
  )

const launch = (name: string, from: number, to: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) =>
      sql`insert into mint_numbers (base_mint) select ${name} || n from generate_series(${from}::int, ${to}::int) n order by n`,
  )

/** How many tokens there are, how many of them are numbered, and how many of these not as their mints, or with a tag that is not. */
const counted = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly tokens: number; readonly numbered: number; readonly wrong: number }>`
      select count(*)::int as tokens, count(t.mint_number)::int as numbered,
        count(*) filter (where t.mint_number is not null and t.mint_number is distinct from number or g.mint_number is distinct from t.mint_number)::int
          as wrong
      from tokens t join token_tags g on g.token_id = t.id left join mint_numbers on base_mint = t.mint_address`,
    ([row]) => row!,
  ),
)

const catchUp = Effect.repeat(numberTokens, { while: (more) => more })

layer(TestDatabase.layer)("Numbers of tokens", (it) => {
  it.effect("are those of their mints, whichever of the two came first", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* register("early", 1, 1_200)
      yield* launch("other", 1, 300)
      yield* launch("early", 1, 1_100)
      assert.deepStrictEqual(yield* counted, { tokens: 1_200, numbered: 0, wrong: 0 })
      // A batch after the other.
      assert.isTrue(yield* numberTokens)
      assert.deepStrictEqual(yield* counted, { tokens: 1_200, numbered: 200, wrong: 0 })
      yield* catchUp
      assert.deepStrictEqual(yield* counted, { tokens: 1_200, numbered: 1_100, wrong: 0 })
      yield* register("other", 1, 10)
      assert.deepStrictEqual(yield* counted, { tokens: 1_210, numbered: 1_110, wrong: 0 })
      // A deleted token and its successor have the number of the same mint.
      yield* sql`update tokens set deleted_at = now() where mint_address in ('early1', 'early1200')`
      yield* launch("early", 1_200, 1_200)
      yield* register("early", 1, 1)
      yield* catchUp
      assert.deepStrictEqual(yield* counted, { tokens: 1_211, numbered: 1_111, wrong: 0 })
      assert.isFalse(yield* numberTokens)
    }),
  )

  it.effect("wait for no token that is locked, and go on there when it is free", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* register("locked", 1, 600)
      yield* launch("locked", 1, 600)
      const before = yield* counted
      const [isLocked, isNumbered] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const hold = Effect.gen(function* () {
        yield* sql`select from tokens where mint_address in ('locked1', 'locked40') for update`
        yield* Deferred.succeed(isLocked, undefined)
        yield* Deferred.await(isNumbered)
      }).pipe(sql.withTransaction)
      const number = Effect.gen(function* () {
        yield* Deferred.await(isLocked)
        assert.isFalse(yield* numberTokens)
        assert.deepStrictEqual(yield* counted, { ...before, numbered: before.numbered + 498 })
        yield* Deferred.succeed(isNumbered, undefined)
      })
      yield* Effect.all([hold, number], { concurrency: 2 })
      yield* catchUp
      assert.deepStrictEqual(yield* counted, { ...before, numbered: before.numbered + 600 })
    }),
  )

  it.effect("of all tokens are compared again when the registry has started over", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* catchUp
      yield* register("passed", 1, 10)
      yield* launch("passed", 1, 10)
      // As if they had been registered by a transaction that took long.
      yield* sql`update token_number_progress set number = (select max(number) from mint_numbers)`
      yield* catchUp
      const before = yield* counted
      yield* numberAllTokens(sql)
      yield* catchUp
      assert.deepStrictEqual(yield* counted, { ...before, numbered: before.numbered + 10 })
    }),
  )

  it.effect("are given by one process at a time, and by the next if it ends", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* register("many", 1, 2_000)
      yield* launch("many", 1, 2_000)
      const before = yield* counted
      const ended = Effect.exit(sql.withTransaction(Effect.andThen(numberTokens, Effect.fail("ended"))))
      yield* Effect.all([catchUp, catchUp, ended, catchUp], { concurrency: "unbounded" })
      yield* catchUp
      assert.deepStrictEqual(yield* counted, { ...before, numbered: before.numbered + 2_000 })
    }),
  )
})
