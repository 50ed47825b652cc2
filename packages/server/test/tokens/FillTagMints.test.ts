import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Deferred, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { fillTagMints, fillTagMintsAfter } from "../../src/tokens/FillTagMints.ts"
import { numberAllTokens, numberTokens } from "../../src/tokens/NumberTokens.ts"
import { setTags } from "../../src/tokens/SetTags.ts"
import { readingOf } from "../PreparedPlans.ts"

/** Registers tokens with mints of this name, and tags them, as a process of the version before did: without mints. */
const register = (name: string, count: number) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.andThen(
      sql`
        insert into tokens (id, mint_address, name, symbol, total_supply, decimals, owner, launchpad, tags, created_at, updated_at)
        select gen_random_uuid(), ${name} || n, 'Token', 'T', 1, 6, 'somebody', 'launchpad_a', '{one,two}', now(), now()
        from generate_series(1, ${count}::int) n`,
      sql`
        insert into token_tags (tag, token_id, launchpad, active, created_at)
        select tag, id, launchpad, active, created_at from tokens, unnest(tags) tag where mint_address like ${`${name}%`}`,
    ),
  )

const launch = (name: string, count: number) =>
  Effect.flatMap(
    SqlClient,
    (sql) => sql`insert into mint_numbers (base_mint) select ${name} || n from generate_series(1, ${count}::int) n`,
  )

/** How many tags there are, have mints and numbers, and differ from their tokens in those that they have. */
const counted = Effect.flatMap(SqlClient, (sql) =>
  Effect.map(
    sql<Readonly<Record<"tags" | "filled" | "numbered" | "wrong", number>>>`
      select count(*)::int as tags, count(g.mint_address)::int as filled, count(g.mint_number)::int as numbered,
        count(*) filter (where g.mint_address <> t.mint_address or g.mint_number is distinct from t.mint_number)::int as wrong
      from token_tags g join tokens t on t.id = g.token_id`,
    ([row]) => row!,
  ),
)

const FIRST_ID = "00000000-0000-0000-0000-000000000000"
const numberAll = Effect.repeat(numberTokens, { while: (more) => more })

layer(TestDatabase.layer)("Tags", (it) => {
  it.effect("have the mints of their tokens, also those that were written without", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* register("early", 700)
      // A batch after the other, and by several processes at once.
      const last = yield* fillTagMintsAfter(FIRST_ID)
      assert.isString(last)
      assert.deepStrictEqual(yield* counted, { tags: 1_400, filled: 500, numbered: 0, wrong: 0 })
      // Goes on after them.
      yield* fillTagMintsAfter(last!)
      assert.include(yield* counted, { filled: 1_000 })
      yield* Effect.all([fillTagMints, fillTagMints, fillTagMints], { concurrency: "unbounded" })
      yield* fillTagMints
      assert.deepStrictEqual(yield* counted, { tags: 1_400, filled: 1_400, numbered: 0, wrong: 0 })
      assert.isUndefined(yield* fillTagMintsAfter(FIRST_ID))
      const [{ id } = { id: "" }] = yield* sql<{ readonly id: string }>`select id from tokens limit 1`
      yield* setTags(sql, id, ["one", "two", "three"])
      assert.deepStrictEqual(yield* counted, { tags: 1_401, filled: 1_401, numbered: 0, wrong: 0 })
    }),
  )

  it.effect("have the numbers of the mints when their tokens have them", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* fillTagMints
      const { tags } = yield* counted
      yield* register("numbered", 10)
      yield* launch("numbered", 10)
      yield* numberAll
      yield* fillTagMints
      assert.deepStrictEqual(yield* counted, { tags: tags + 20, filled: tags + 20, numbered: 20, wrong: 0 })
      // Of a token that was numbered by a process that leaves its tags as they are.
      yield* sql`update token_tags set mint_number = null where mint_address like 'numbered%'`
      yield* numberAllTokens(sql)
      yield* numberAll
      assert.deepStrictEqual(yield* counted, { tags: tags + 20, filled: tags + 20, numbered: 20, wrong: 0 })
      yield* sql`delete from token_tags where mint_address = 'numbered1'`
      const [{ id } = { id: "" }] = yield* sql<{
        readonly id: string
      }>`select id from tokens where mint_address = 'numbered1'`
      yield* setTags(sql, id, ["three"])
      assert.deepStrictEqual(yield* counted, { tags: tags + 19, filled: tags + 19, numbered: 19, wrong: 0 })
    }),
  )

  it.effect("are found without reading those that have mints", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // Of fewer it is the fastest to read all.
      yield* register("many", 20_000)
      yield* fillTagMints
      yield* sql`analyze tokens, token_tags`
      yield* register("few", 5)
      yield* launch("few", 5)
      const { rows, scans } = yield* readingOf(["tokens", "token_tags"], Effect.andThen(fillTagMints, numberAll))
      assert.strictEqual(scans, 0)
      assert.isAtMost(rows, 100)
      assert.include(yield* counted, { wrong: 0 })
    }),
  )

  it.effect("that differ from their tokens are as these afterwards", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* register("differing", 5)
      yield* sql`
        update token_tags set active = false, launchpad = 'launchpad_b', created_at = '2026-01-01' where mint_address is null`
      yield* fillTagMints
      const rows = yield* sql`
        select from token_tags g join tokens t on t.id = g.token_id
        where (g.active, g.launchpad, g.created_at) is distinct from (t.active, t.launchpad, t.created_at)`
      assert.lengthOf(rows, 0)
    }),
  )

  it.effect("of a token that is locked are filled later, and nobody waits", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* fillTagMints
      const before = yield* counted
      yield* register("locked", 3)
      const [isLocked, isFilled] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const hold = Effect.gen(function* () {
        yield* sql`select from tokens where mint_address = 'locked2' for update`
        yield* Deferred.succeed(isLocked, undefined)
        yield* Deferred.await(isFilled)
      }).pipe(sql.withTransaction)
      const fill = Effect.gen(function* () {
        yield* Deferred.await(isLocked)
        yield* fillTagMints
        assert.deepStrictEqual(yield* counted, { ...before, tags: before.tags + 6, filled: before.filled + 4 })
        yield* Deferred.succeed(isFilled, undefined)
      })
      yield* Effect.all([hold, fill], { concurrency: 2 })
      yield* fillTagMints
      assert.deepStrictEqual(yield* counted, { ...before, tags: before.tags + 6, filled: before.filled + 6 })
    }),
  )
})
