import * as Database from "@launch-registry/postgres/Database"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { TestDoor } from "@launch-registry/migrations/TestDoor"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, Layer, Metric } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { openRaw, requestText } from "../../../http/test/RawConnection.ts"
import { TestServer } from "../TestServer.ts"
import { readMetrics } from "./MetricsText.ts"

const REAL = { excludeTestServices: true } as const

/** Series of this server alone. */
const ownRegistry = Layer.sync(Metric.MetricRegistry, () => new Map())

const requests = (method: string, route: string, status: number) =>
  `launch_registry_http_requests_total{method="${method}",route="${route}",status="${status}"}`

/** Requests are counted once their connection has taken the answer, which a client may see a moment earlier. */
const untilValue = (series: string, value: number) =>
  Effect.gen(function* () {
    while (true) {
      const metrics = yield* readMetrics
      if (metrics.values.get(series) === value) return metrics
    }
  })

describe("Metrics", () => {
  layer(TestServer.layer().pipe(Layer.provide(ownRegistry)), REAL)("of requests", (it) => {
    it.effect("name the declared path, the method and the status", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        for (const id of ["0191e4a2-0000-7000-8000-000000000000", "0191e4a2-0000-7000-8000-000000000001"])
          assert.strictEqual((yield* request(`/api/tokens/${id}`)).status, 404)
        yield* request("/api/tokens?limit=1")
        yield* request("/api/tokens", { json: {} })
        yield* untilValue(requests("GET", "/api/tokens", 200), 1)
        yield* untilValue(requests("POST", "/api/tokens", 400), 1)
        const { values } = yield* untilValue(requests("GET", "/api/tokens/:id", 404), 2)
        // This one is being served.
        yield* untilValue("launch_registry_http_requests_in_flight", 1)
        const ofRoute = 'method="GET",route="/api/tokens/:id"'
        assert.strictEqual(values.get(`launch_registry_http_request_duration_seconds_count{${ofRoute}}`), 2)
        assert.strictEqual(values.get(`launch_registry_http_request_duration_seconds_bucket{${ofRoute},le="+Inf"}`), 2)
        assert.isAbove(values.get(`launch_registry_http_request_duration_seconds_sum{${ofRoute}}`)!, 0)
      }),
    )

    it.effect("put whatever matches nothing under one name", () =>
      Effect.gen(function* () {
        const { request, url } = yield* TestServer
        for (let path = 0; path < 20; path++) yield* request(`/wp-admin/${path}.php`)
        yield* request("/api/tokens", { method: "DELETE" })
        yield* openRaw(url, requestText("PROPFIND", "/dav", { connection: "close" })).pipe(
          Effect.flatMap(({ closed }) => closed),
          Effect.scoped,
        )
        // The client leaves before it has sent what it promised.
        const promise = { "content-type": "application/json", "content-length": "9", expect: "100-continue" }
        const { socket, until } = yield* openRaw(url, requestText("POST", "/api/tokens", promise))
        yield* until(/^HTTP\/1.1 100 /)
        yield* untilValue("launch_registry_http_requests_in_flight", 2)
        socket.destroy()
        yield* untilValue(requests("POST", "/api/tokens", 499), 1)
        yield* untilValue(requests("GET", "unmatched", 404), 20)
        yield* untilValue(requests("DELETE", "unmatched", 405), 1)
        const { text } = yield* untilValue(requests("other", "unmatched", 404), 1)
        assert.notMatch(text, /wp-admin|PROPFIND|dav/)
        yield* untilValue("launch_registry_http_requests_in_flight", 1)
      }).pipe(Effect.scoped),
    )

    it.effect("count transactions while they are open, and statements that fail", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const errors = (yield* readMetrics).values.get("launch_registry_database_query_errors_total")!
        const inside = yield* sql.withTransaction(
          Effect.andThen(
            sql`select 1`,
            Effect.map(readMetrics, ({ values }) => values),
          ),
        )
        assert.strictEqual(inside.get("launch_registry_database_transactions_in_flight"), 1)
        assert.isTrue((yield* Effect.exit(sql`select 1 / 0`))._tag === "Failure")
        const { values } = yield* untilValue("launch_registry_database_transactions_in_flight", 0)
        assert.strictEqual(values.get("launch_registry_database_query_errors_total"), errors + 1)
      }),
    )
  })

  layer(TestServer.layer().pipe(Layer.provide(ownRegistry)), REAL)("of the index", (it) => {
    it.effect("say what its report says", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const { request } = yield* TestServer
        yield* sql`insert into leases (name, holder, token, expires_at) values ('indexer', 'replica-1', 1, '2100-01-01')`
        yield* sql`update indexer_progress set module_hash = 'modules', log_offset = 7, slot = 310`
        yield* sql`
          insert into inbox_segments (log_offset, source, received_at, first_slot, last_slot, positions, bytes)
          select offsets, 'test', now() - interval '90 seconds', 1, 1, '{0}', '' from generate_series(6, 9) offsets`
        yield* sql`
          insert into indexer_reports (name, report, reported_at)
          values ('leader', '{"originSlot":"100","finalizedSlot":"300","source":"poll","slotMillis":250}', now() - interval '30 seconds')`
        yield* sql`
          insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset) values (100, 250, 'rpc', now(), 7)`
        yield* sql`
          insert into dead_letters (log_offset, position, slot, signature, reason, module_hash)
          values (1, 0, 1, 's', 'r', 'm'), (1, 1, 1, 's', 'r', 'm')`
        yield* sql`create schema derived_test`
        yield* sql`
          insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
          values ('migrated', 'damm_v2', 120, 120, now(), now())`
        yield* sql`
          insert into indexer_reports (name, report, reported_at) values ('pools', '{"followed":1,"provenSlot":"180"}', now())`
        const { data } = (yield* request("/api/system/indexer")).body
        const { values } = yield* readMetrics
        for (const [name, expected] of Object.entries({
          ...{ database_up: 1, indexer_leader: 1, indexer_slot: Number(data.slot), indexer_rebuild_running: 1 },
          ...{ indexer_proven_slot: 180, indexer_program_proven_slot: Number(data.programWatermarkSlot) },
          ...{ indexer_finalized_slot: Number(data.finalizedSlot), indexer_unproven_seconds: 12.5 },
          ...{ indexer_inbox_pending_segments: data.inbox.pendingSegments, indexer_dead_letters: data.deadLetters },
          ...{ indexer_poison_deliveries: data.poison, indexer_dropped_transactions: data.dropped },
        }))
          assert.strictEqual(values.get(`launch_registry_${name}`), expected, name)
        assert.deepInclude(data, { watermarkSlot: "180", unprovenSeconds: 12.5 })
        assert.isAtLeast(values.get("launch_registry_indexer_lag_seconds")!, 90)
        assert.isAtLeast(values.get("launch_registry_indexer_report_age_seconds")!, 30)
        // Bridging is switched off here.
        assert.notInclude([...values.keys()].join(), "bridge_transfers")
      }),
    )
  })

  class Door extends Context.Service<Door, TestDoor>()("@launch-registry/service/test/metrics/Door") {}
  const behindDoor = Layer.unwrap(
    Effect.gen(function* () {
      const through = yield* Door
      const name = yield* TestDatabase.migrated
      return TestServer.layer({ database: Database.layer(through.addressOf(name)) })
    }),
  ).pipe(Layer.provideMerge(Layer.effect(Door, TestDoor.make)), Layer.provide(ownRegistry))

  layer(behindDoor, REAL)("without the database", (it) => {
    it.effect("are answered, and leave out what only the database knows", () =>
      Effect.gen(function* () {
        const door = yield* Door
        const { values: before } = yield* readMetrics
        assert.strictEqual(before.get("launch_registry_database_up"), 1)
        assert.strictEqual(before.get("launch_registry_indexer_leader"), 0)
        door.shut("")
        const { values } = yield* untilValue("launch_registry_database_up", 0)
        assert.notInclude([...values.keys()].join(), "launch_registry_indexer_")
        assert.isAbove(values.get("launch_registry_heap_used_bytes")!, 0)
        door.open()
        const { values: after } = yield* untilValue("launch_registry_database_up", 1)
        assert.strictEqual(after.get("launch_registry_indexer_leader"), 0)
      }),
    )

    it.effect("are answered where it accepts questions and never answers", () =>
      Effect.gen(function* () {
        const door = yield* Door
        yield* untilValue("launch_registry_database_up", 1)
        door.mute()
        const { values } = yield* untilValue("launch_registry_database_up", 0)
        assert.isAbove(values.get("launch_registry_heap_used_bytes")!, 0)
        door.speak()
      }),
    )
  })
})
