import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../../service/test/TestServer.ts"

const get = (path: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(path), ({ body, status }) => {
      assert.strictEqual(status, 200, `${path}: ${JSON.stringify(body)}`)
      return body.data
    }),
  )

/** Writes something in place of a report, at a time in SQL. */
const leave = Effect.fnUntraced(function* (name: string, said: unknown, at = "infinity") {
  const sql = yield* SqlClient
  yield* sql`delete from indexer_reports where name = ${name}`
  yield* sql`insert into indexer_reports values (${name}, ${JSON.stringify(said)}::text::jsonb, ${at}::timestamptz)`
})

/** Values that are neither slots, nor numbers of seconds, nor texts. */
const WRONG: ReadonlyArray<unknown> = [
  ...["soon", "", "-5", -5, 0.5, 1e300, "1e9", true, null, {}, [], "9".repeat(30), " 5", "0x5"],
]

layer(TestServer.layer())("A malformed report of the indexer", (it) => {
  it.effect("is ignored, and the next report is right again", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* sql`insert into leases values ('indexer', 'replica-1', 1, '2100-01-01')`
      yield* sql`update indexer_progress set module_hash = 'm', log_offset = 4, slot = 60`
      yield* sql`insert into coverage values ('', 0, 55, 'rpc', now(), 1), ('', 60, ${2n ** 63n - 1n}, 'rpc', now(), 1)`
      const poison = WRONG.map((wrong) => ({
        ...{
          originSlot: wrong,
          finalizedSlot: wrong,
          finalizedSinceMillis: wrong,
          reconcileSeconds: wrong,
          slotMillis: wrong,
          problem: wrong,
          failingSince: wrong,
          otherCluster: null,
        },
      }))
      for (const said of [...poison, "a text", 5, [], null]) {
        for (const name of ["leader", "webhook", "replay"]) yield* leave(name, said)
        const report = yield* get("/api/system/indexer")
        assert.deepInclude(report, { finalizedSlot: null, watermarkSlot: null, gaps: [], reportedAt: null })
        yield* get("/")
      }
      yield* sql`delete from indexer_reports`
      const right = { source: "poll", reconcileSeconds: 10, problem: null, otherCluster: null }
      yield* leave("leader", { ...right, originSlot: "0", finalizedSlot: "55" }, "2026-11-21T09:31:00Z")
      assert.deepInclude(yield* get("/api/system/indexer"), {
        ...{ finalizedSlot: "55", watermarkSlot: "55", gaps: [], webhook: null },
        reportedAt: "2026-11-21T09:31:00.000Z",
      })
      const [{ now }] = (yield* sql`select extract(epoch from now())::float8 * 1000 as now`) as [{ now: number }]
      for (const [millis, status, detail] of [
        ["0x5", "up", /^proven complete up to slot 55, indexed/],
        [Math.floor(now) - 60_000, "up", /^proven complete up to slot 55, indexed/],
        [Math.floor(now) - 600_000, "degraded", /slot 55 \(the chain has finalized nothing after slot 55 for 60\d s\)/],
      ] as const) {
        const still = { ...right, originSlot: "0", finalizedSlot: "55", finalizedSinceMillis: millis }
        yield* leave("leader", still, new Date(now).toISOString())
        const { indexer } = yield* get("/")
        assert.match(indexer.detail, detail)
        assert.strictEqual(indexer.status, status)
      }
    }),
  )
})
