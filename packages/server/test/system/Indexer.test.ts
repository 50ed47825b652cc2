import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { PgClient } from "@effect/sql-pg/PgClient"
import { SqlClient } from "effect/sql/SqlClient"
import { randomOf } from "../../../service/test/Random.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

const get = (path: string) =>
  Effect.flatMap(TestServer, ({ request }) => Effect.map(request(path), ({ body }) => body.data))
const report = get("/api/system/indexer")
const health = Effect.map(get("/"), (data) => data.indexer as { readonly status: string; readonly detail: string })

/** The indexer's tables before it has run. */
const forget = Effect.gen(function* () {
  const sql = yield* SqlClient
  for (const table of ["leases", "coverage", "indexer_reports", "inbox_segments"]) yield* sql`delete from ${sql(table)}`
  yield* sql`update indexer_progress set module_hash = null, log_offset = 0, slot = null`
})

const lease = Effect.fnUntraced(function* (expires: string) {
  const sql = yield* SqlClient
  yield* sql`
    insert into leases (name, holder, token, expires_at) values ('indexer', 'replica-1', 1, ${expires}::timestamptz)
    on conflict (name) do update set expires_at = excluded.expires_at`
})

const fold = Effect.fnUntraced(function* (id: string, offset: number, slot: number) {
  const sql = yield* SqlClient
  yield* sql`
    update indexer_progress set module_hash = ${id}, log_offset = ${offset}, slot = ${slot}`
})

const receive = Effect.fnUntraced(function* (offset: number, secondsAgo: number) {
  const sql = yield* SqlClient
  yield* sql`
    insert into inbox_segments (log_offset, source, received_at, first_slot, last_slot, positions, bytes)
    values (${offset}, 'test', now() - make_interval(secs => ${secondsAgo}::integer), 1, 1, '{0}', '')`
})

const cover = Effect.fnUntraced(function* (from: number, to: number, offset = 1) {
  const sql = yield* SqlClient
  yield* sql`
    insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset)
    values (${from}, ${to}, 'backfill', '2026-11-21T09:30:00.5Z', ${offset})`
})

const say = Effect.fnUntraced(function* (name: string, said: object) {
  const sql = yield* SqlClient
  const { json } = yield* PgClient
  yield* sql`
    insert into indexer_reports (name, report, reported_at) values (${name}, ${json(said)}, '2026-11-21T09:31:00Z')
    on conflict (name) do update set report = excluded.report`
})

/** The leader's report after a round. */
const leaderSays = Effect.fnUntraced(function* (facts: object, secondsAgo = 0) {
  const sql = yield* SqlClient
  const always = { source: "poll", reconcileSeconds: 10, slotMillis: 250, problem: null, otherCluster: null }
  yield* say("leader", { ...always, ...facts })
  yield* sql`
    update indexer_reports set reported_at = now() - make_interval(secs => ${secondsAgo}::integer) where name = 'leader'`
})

layer(TestServer.layer())("The report of the indexer", (it) => {
  it.effect("is empty before an indexer has run", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* report, {
        leader: null,
        moduleHash: null,
        slot: null,
        logOffset: null,
        inbox: { pendingSegments: 0, nextOffset: "1" },
        ...{ finalizedSlot: null, unprovenSeconds: null, watermarkSlot: null, programWatermarkSlot: null },
        ...{ coverage: [], gaps: [], poison: 0, deadLetters: 0, dropped: 0 },
        webhook: null,
        replay: null,
        reportedAt: null,
      })
      assert.deepStrictEqual(yield* health, { status: "off", detail: "no indexer has run on this database" })
    }),
  )

  it.effect("says from which slot on the log has everything, once some was deleted", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      assert.notProperty(yield* report, "logFromSlot")
      yield* sql`update inbox_head set pruned_from_slot = 100, pruned_to_slot = 149`
      assert.strictEqual((yield* report).logFromSlot, "150")
      yield* sql`update inbox_head set pruned_from_slot = -1, pruned_to_slot = -1`
    }),
  )

  it.effect("shows the leader, how far the log is folded, what is proven and what is missing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* lease("2100-01-01T00:00:00Z")
      yield* fold("old", 3, 900)
      yield* fold("new", 7, 310)
      yield* sql`update inbox_head set next_offset = 10`
      for (const offset of [6, 7, 8, 9]) yield* receive(offset, 0)
      yield* say("leader", { originSlot: "100", finalizedSlot: 300, more: "than asked" })
      yield* say("webhook", { state: "registered", calls: ["create"] })
      yield* cover(100, 150, 7)
      yield* cover(151, 180, 2)
      yield* cover(190, 210, 5)
      yield* cover(220, 230, 8)
      yield* sql`insert into inbox_poison (digest, received_at, source, reason, bytes) values ('a', now(), 's', 'r', '')`
      yield* sql`
        insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
        values (1, 0, 1, 's', 'r', 'm'), (1, 1, 1, 's', 'r', 'm')`
      yield* sql`
        insert into inbox_dropped (log_offset, position, slot, signature, reason, dropped_at)
        select 1, at, 1, 's', 'r', now() from generate_series(1, 3) at`
      const proven = { provenBy: "backfill", provenAt: "2026-11-21T09:30:00.500Z" }
      assert.deepStrictEqual(yield* report, {
        leader: { holder: "replica-1", expiresAt: "2100-01-01T00:00:00.000Z" },
        moduleHash: "new",
        slot: "310",
        logOffset: "7",
        inbox: { pendingSegments: 2, nextOffset: "10" },
        finalizedSlot: "300",
        unprovenSeconds: null,
        watermarkSlot: "180",
        programWatermarkSlot: "180",
        // The proof of slots 220 to 230 is not folded yet.
        coverage: [
          { fromSlot: "100", toSlot: "150", ...proven },
          { fromSlot: "151", toSlot: "180", ...proven },
          { fromSlot: "190", toSlot: "210", ...proven },
        ],
        gaps: [
          { fromSlot: "181", toSlot: "189" },
          { fromSlot: "211", toSlot: "300" },
        ],
        poison: 1,
        deadLetters: 2,
        dropped: 3,
        webhook: { state: "registered", calls: ["create"] },
        replay: null,
        reportedAt: "2026-11-21T09:31:00.000Z",
      })
      yield* say("replay", { state: "comparing" })
      yield* lease("-infinity")
      const later = yield* report
      assert.deepStrictEqual([later.leader, later.replay], [null, { state: "comparing" }])
    }),
  )

  it.effect("has a watermark and gaps that agree with every single slot", () =>
    Effect.gen(function* () {
      const random = randomOf(5)
      for (let times = 0; times < 60; times++) {
        yield* forget
        yield* fold("m", 4, 60)
        const [origin, finalized] = [random(30), 20 + random(40)]
        yield* say("leader", { originSlot: origin, finalizedSlot: finalized })
        const isProven = Array.from({ length: 80 }, () => false)
        for (let slot = random(25); slot < 60;) {
          const to = slot + random(12)
          const offset = random(6)
          yield* cover(slot, to, offset)
          if (offset <= 4) isProven.fill(true, slot, to + 1)
          slot = to + 1 + (random(2) === 0 ? 0 : random(8))
        }
        const slots = isProven.keys().toArray()
        const isGap = (slot: number) => !isProven[slot]! && slot >= origin && slot < lastProven
        const lastProven = Math.max(isProven.lastIndexOf(true), finalized + 1)
        const gaps = slots
          .filter((slot) => isGap(slot) && (slot === origin || !isGap(slot - 1)))
          .map((from) => ({
            fromSlot: String(from),
            toSlot: String(slots.find((slot) => slot >= from && !isGap(slot))! - 1),
          }))
        const firstUnproven = isProven.indexOf(false, origin)
        const { gaps: reported, watermarkSlot } = yield* report
        assert.deepStrictEqual(reported, gaps)
        assert.strictEqual(watermarkSlot, firstUnproven === origin ? null : String(firstUnproven - 1))
      }
    }),
  )

  it.effect("is limited to the latest thousand ranges, and the watermark is right nevertheless", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* forget
      yield* fold("m", 4, 60)
      yield* say("leader", { originSlot: 0, finalizedSlot: 15_000 })
      yield* sql`
        insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset)
        select at * 10, at * 10 + 8, 'test', now(), 1 from generate_series(0, 1499) at`
      const { coverage, gaps, watermarkSlot } = yield* report
      assert.strictEqual(watermarkSlot, "8")
      assert.lengthOf(coverage, 1000)
      assert.lengthOf(gaps, 1000)
      assert.deepInclude(coverage.at(-1), { fromSlot: "14990", toSlot: "14998" })
      assert.deepStrictEqual(gaps.at(-1), { fromSlot: "14999", toSlot: "15000" })
    }),
  )

  it.effect("makes health degraded when no process leads and when the fold lags", () =>
    Effect.gen(function* () {
      yield* forget
      yield* lease("2100-01-01T00:00:00Z")
      const unproven = "nothing proven yet: not reconciled with the chain so far"
      assert.deepStrictEqual(yield* health, { status: "degraded", detail: `${unproven}, nothing indexed yet` })
      yield* fold("m", 4, 60)
      yield* cover(0, 55)
      yield* leaderSays({ originSlot: "0", finalizedSlot: "55" })
      yield* receive(4, 60)
      yield* receive(5, 1)
      const at = "proven complete up to slot 55, indexed up to 60"
      assert.deepStrictEqual(yield* health, { status: "up", detail: at })
      yield* receive(6, 0)
      yield* Effect.flatMap(
        SqlClient,
        (sql) => sql`update inbox_segments set received_at = now() - interval '11 seconds' where log_offset = 5`,
      )
      assert.deepStrictEqual(yield* health, { status: "degraded", detail: `${at}, 2 segments behind` })
      assert.strictEqual((yield* get("/")).status, "degraded")
      for (const expired of ["2020-01-01T00:00:00Z", "-infinity"]) {
        yield* lease(expired)
        assert.deepStrictEqual(yield* health, { status: "down", detail: `no leader; ${at}` })
      }
    }),
  )

  it.effect("is healthy only while proven slots follow the chain, and says why not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* forget
      yield* lease("2100-01-01T00:00:00Z")
      yield* fold("m", 4, 2_000)
      const states: ReadonlyArray<readonly [facts: object, secondsAgo: number, status: string, proof: string]> = [
        [{}, 0, "up", "proven complete up to slot 1000"],
        // Two minutes, however many slots they are.
        ...[400, 250, 200].flatMap((slotMillis): typeof states => {
          const end = 1_000 + 120_000 / slotMillis
          const late = "proven complete up to slot 1000 (121 s behind the finalized slot)"
          return [
            [{ slotMillis, finalizedSlot: String(end) }, 0, "up", "proven complete up to slot 1000"],
            [{ slotMillis, finalizedSlot: String(end + Math.ceil(1_000 / slotMillis)) }, 0, "degraded", late],
          ]
        }),
        [
          { originSlot: "1001", finalizedSlot: "1400" },
          0,
          "degraded",
          "nothing proven yet (100 s behind the finalized slot)",
        ],
        [
          { originSlot: "1001", finalizedSlot: "1000" },
          0,
          "up",
          "nothing to prove yet: no slot is finalized since 1001",
        ],
        [{ problem: "the node lies" }, 0, "degraded", "proven complete up to slot 1000 (the node lies)"],
        [{ originSlot: null, finalizedSlot: null, problem: "no node" }, 0, "degraded", "nothing proven yet (no node)"],
        [
          { originSlot: null, finalizedSlot: null },
          0,
          "degraded",
          "nothing proven yet: not reconciled with the chain so far",
        ],
        [{}, 70, "up", "proven complete up to slot 1000"],
        [{ reconcileSeconds: 600 }, 1_200, "up", "proven complete up to slot 1000"],
        [{ source: "off" }, 9_000, "off", "proven complete up to slot 1000, nothing after it: INDEXER_SOURCE is off"],
        [{ source: "off", originSlot: null }, 9_000, "off", "nothing is proven: INDEXER_SOURCE is off"],
      ]
      yield* cover(100, 1_000)
      for (const [facts, secondsAgo, status, proof] of states) {
        yield* leaderSays({ originSlot: "100", finalizedSlot: "1000", ...facts }, secondsAgo)
        assert.deepStrictEqual(yield* health, { status, detail: `${proof}, indexed up to 2000` }, JSON.stringify(facts))
      }
      yield* leaderSays({ originSlot: "100", finalizedSlot: "1000" }, 90)
      const late = yield* health
      assert.strictEqual(late.status, "degraded")
      assert.match(
        late.detail,
        /^proven complete up to slot 1000 \(last reconciled with the chain 9\d s ago\), indexed/,
      )
      yield* leaderSays({ otherCluster: "Theirs", problem: "The database holds the index of Ours" })
      assert.deepStrictEqual(yield* health, { status: "down", detail: "The database holds the index of Ours" })
      assert.strictEqual((yield* get("/")).status, "degraded")
      // Ranges that are proven but not folded yet do not count.
      yield* leaderSays({ originSlot: "100", finalizedSlot: "1000" })
      yield* sql`update coverage set log_offset = 5`
      assert.deepStrictEqual(yield* health, {
        status: "degraded",
        detail: "nothing proven yet (225 s behind the finalized slot), indexed up to 2000",
      })
      yield* sql`update coverage set log_offset = 4`
      yield* sql`delete from indexer_reports`
      assert.strictEqual((yield* health).status, "degraded")
    }),
  )
})
