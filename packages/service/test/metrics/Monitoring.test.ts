import { readFileSync } from "node:fs"
import * as ClickHouse from "@launch-registry/clickhouse/ClickHouse"
import { parseHistoryUrl } from "@launch-registry/clickhouse/HistoryUrl"
import { Rpc } from "@launch-registry/chain/rpc/Rpc"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import * as ReadReplica from "@launch-registry/postgres/ReadReplica"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Metric, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { scriptedBackend } from "../../../ipfs/test/backends/ScriptedBackend.ts"
import { adminAccess } from "../access/TestAccess.ts"
import { collectorStandIn } from "../telemetry/CollectorStandIn.ts"
import { exportingTo } from "../telemetry/TracedServer.ts"
import { OPTIONS as NOTIFICATIONS } from "../../../server/test/notifications/TestNotifications.ts"
import { TestServer } from "../TestServer.ts"
import { telemetry } from "../../src/telemetry/Telemetry.ts"
import { readMetrics } from "./MetricsText.ts"

const read = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), "utf8")

const RULES = read("deploy/monitoring/rules.yml")
const ALERTS = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name!)

/** A server with every part that has metrics. */
const whole = Layer.unwrap(
  Effect.gen(function* () {
    const { publicKey, url } = yield* IntentsStandIn.make()
    const collector = yield* collectorStandIn
    const replica = ReadReplica.layer({ socketDirectory: "/nowhere", username: "nobody", database: "none" })
    return TestServer.layer({
      database: Layer.provideMerge(replica, TestDatabase.layer),
      observation: telemetry(exportingTo(collector.url), { version: "0.0.0-test", role: "all" }),
      access: adminAccess(),
      bridge: { url, quoteKey: publicKey },
      notifications: NOTIFICATIONS,
      prices: { url: Redacted.make("http://127.0.0.1:9/") },
      ipfs: { order: ["embedded", "filebase"], backend: scriptedBackend("filebase") },
      uploadsKeptDays: 30,
    })
  }),
).pipe(
  Layer.provide(ClickHouse.layer(parseHistoryUrl("http://user:password@127.0.0.1:9/none")!)),
  Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map())),
)

/** The names that the server shows, once every part has counted or read something. */
const families = Effect.gen(function* () {
  const { request } = yield* TestServer
  const sql = yield* SqlClient
  yield* sql`insert into leases (name, holder, token, expires_at) values ('indexer', 'replica-1', 1, '2100-01-01')`
  yield* sql`update indexer_progress set module_hash = 'modules', log_offset = 7, slot = 310`
  yield* sql`
    insert into indexer_reports (name, report, reported_at)
    values ('leader', '{"originSlot":"100","finalizedSlot":"300","source":"poll"}', now())`
  yield* sql`
    insert into coverage (from_slot, to_slot, proven_by, proven_at, log_offset) values (100, 250, 'rpc', now(), 7)`
  yield* (yield* Rpc).cordon(new Map([["primary", { reason: "a reason", since: new Date() }]]))
  yield* request("/api/tokens?limit=1")
  yield* request("/api/system/rpc")
  while (true) {
    const { families: shown } = yield* readMetrics
    const late = [
      ...["indexer_proven_slot", "indexer_unproven_seconds", "http_requests_total", "http_refusals_total"],
      ...["ipfs_outbox_pending", "ipfs_backend_answers", "ipfs_swept_bytes_total"],
    ]
    if (late.every((name) => shown.has(`launch_registry_${name}`))) return shown
  }
})

/** Names of metrics in an expression, without what a histogram adds to its name. */
const namesIn = (text: string, shown: ReadonlyMap<string, { readonly type: string }>) =>
  [...text.matchAll(/\blaunch_registry_\w+/g)].map(([name]) => {
    const family = name.replace(/_(bucket|sum|count)$/, "")
    return shown.get(family)?.type === "histogram" ? family : name
  })

layer(whole, { excludeTestServices: true })("Monitoring", (it) => {
  it.effect("asks for metrics that there are, each of which says what it is", () =>
    Effect.gen(function* () {
      const shown = yield* families
      const files = [
        "deploy/monitoring/rules.yml",
        "deploy/monitoring/rules.test.yml",
        "deploy/monitoring/grafana/dashboard.json",
      ]
      for (const file of files)
        for (const name of namesIn(read(file), shown)) assert.isTrue(shown.has(name), `${file}: ${name}`)
      for (const name of namesIn(read("docs/runbook.md"), shown)) assert.isTrue(shown.has(name), `runbook: ${name}`)
      assert.isEmpty([...shown].filter(([, { help }]) => help === undefined).map(([name]) => name))
    }),
  )
})

layer(Layer.empty)("Every alert", (it) => {
  it("has a section of its name in the runbook that it names, and a test of its rule", () => {
    const sections = new Map(
      read("docs/runbook.md")
        .split(/^## /m)
        .slice(1)
        .map((section) => [section.slice(0, section.indexOf("\n")), section] as const),
    )
    assert.sameMembers([...sections.keys()], ALERTS)
    for (const [name, section] of sections) {
      for (const question of ["What it means", "How to look", "What to do"])
        assert.include(section, `**${question}.**`, name)
      assert.include(RULES, `runbook: docs/runbook.md#${name.toLowerCase()}`)
      assert.include(read("deploy/monitoring/rules.test.yml"), `alertname: ${name}\n`)
    }
  })
})
