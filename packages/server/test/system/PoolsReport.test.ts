import { PgClient } from "@effect/sql-pg/PgClient"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../../service/test/TestServer.ts"

const get = (path: string) =>
  Effect.flatMap(TestServer, ({ request }) => Effect.map(request(path), ({ body }) => body.data))
const report = get("/api/system/indexer")
const health = Effect.map(get("/"), (data) => data.indexer as { readonly status: string; readonly detail: string })

const say = Effect.fnUntraced(function* (name: string, said: object) {
  const sql = yield* SqlClient
  const { json } = yield* PgClient
  yield* sql`
    insert into indexer_reports (name, report, reported_at) values (${name}, ${json(said)}, now())
    on conflict (name) do update set report = excluded.report`
})

/** A leader that has proven the program up to the finalized slot. */
const proven = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`insert into leases (name, holder, token, expires_at) values ('indexer', 'replica-1', 1, '2100-01-01')`
  yield* sql`update indexer_progress set module_hash = 'modules', log_offset = 1, slot = 2000`
  yield* sql`
    insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset) values (100, 1000, 'backfill', now(), 1)`
  const always = { source: "poll", reconcileSeconds: 600, problem: null, otherCluster: null }
  yield* say("leader", { ...always, originSlot: "100", finalizedSlot: "1000" })
  return "proven complete up to slot 1000, indexed up to 2000"
})

layer(TestServer.layer())("The report of the indexer", (it) => {
  it.effect("says how many migrated pools are followed, and is degraded while a proof of one is long due", () =>
    Effect.gen(function* () {
      const detail = yield* proven
      const saysPools = (facts: object) => say("pools", { followed: 12, due: 3, failing: 1, dueSince: null, ...facts })
      yield* saysPools({ followed: 0, due: 0 })
      assert.deepStrictEqual(yield* health, { status: "up", detail })
      yield* saysPools({})
      assert.deepStrictEqual(yield* health, { status: "up", detail: `${detail}, 12 migrated pools followed` })
      assert.deepInclude((yield* report).pools, { followed: 12, due: 3, failing: 1, dueSince: null })
      yield* saysPools({ dueSince: "2020-11-21T09:31:00.000Z" })
      const late = yield* health
      assert.strictEqual(late.status, "degraded")
      assert.match(late.detail, /12 migrated pools followed, 3 of them due for up to \d+ s$/)
      yield* saysPools({ problem: "a pool: a signature is refused by the endpoints (Rejected -32015)" })
      assert.deepStrictEqual(yield* health, {
        status: "degraded",
        detail: `${detail}, 12 migrated pools followed (not proven: a pool: a signature is refused by the endpoints (Rejected -32015))`,
      })
      // What another version, or a stray row, says is not believed.
      for (const dueSince of ["2026-13-39T29:31:00.000Z", "yesterday", null, { a: 1 }]) {
        yield* saysPools({ followed: "many", due: -1, dueSince })
        assert.deepStrictEqual(yield* health, { status: "up", detail }, JSON.stringify(dueSince))
      }
    }),
  )

  it.effect("is proven up to where both the program and all migrated pools are, and says how far each is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const marks = Effect.map(report, ({ poolsWatermarkSlot, programWatermarkSlot, watermarkSlot }) => [
        watermarkSlot,
        programWatermarkSlot,
        poolsWatermarkSlot,
      ])
      const detail = Effect.map(health, ({ detail: said }) => said.split(", indexed")[0])
      const follow = (pool: string, venue: string | null) => sql`
        insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
        values (${pool}, ${venue}, 400, 400, now(), now())`
      yield* sql`delete from indexer_reports where name = 'pools'`
      assert.deepStrictEqual(yield* marks, ["1000", "1000", undefined])
      // One whose trades are not derived.
      yield* follow("another program's", null)
      assert.deepStrictEqual(yield* marks, ["1000", "1000", undefined])
      yield* sql`
        insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, created_slot, created_at, migrated_slot, migrated_pool)
        values ('pool', 'mint', 'quote', 'config', 'creator', 'name', 'symbol', 'uri', 0, 300, now(), 400, 'migrated')`
      assert.deepStrictEqual(yield* marks, [null, "1000", null], "before it is followed")
      yield* follow("migrated", "damm_v2")
      assert.deepStrictEqual(yield* marks, [null, "1000", null], "before the leader has looked")
      assert.strictEqual(yield* detail, "nothing proven complete yet; the program alone up to slot 1000")
      const pools = { followed: 1, due: 1, failing: 0, dueSince: null }
      const states: ReadonlyArray<readonly [said: unknown, watermark: string | null, words: string]> = [
        ["399", "399", "proven complete up to slot 399; the program alone up to slot 1000"],
        ["1000", "1000", "proven complete up to slot 1000"],
        // The program's slots were opened again meanwhile.
        ["1200", "1000", "proven complete up to slot 1000"],
        ["99", null, "nothing proven complete yet; the program alone up to slot 1000"],
        [null, null, "nothing proven complete yet; the program alone up to slot 1000"],
        ["-7", null, "nothing proven complete yet; the program alone up to slot 1000"],
        [{}, null, "nothing proven complete yet; the program alone up to slot 1000"],
      ]
      for (const [provenSlot, watermark, words] of states) {
        yield* say("pools", { ...pools, provenSlot })
        const shown = typeof provenSlot === "string" && provenSlot !== "-7" ? provenSlot : null
        assert.deepStrictEqual(yield* marks, [watermark, "1000", shown], String(provenSlot))
        assert.strictEqual(yield* detail, words)
        assert.strictEqual((yield* health).status, "up")
      }
    }),
  )
})
