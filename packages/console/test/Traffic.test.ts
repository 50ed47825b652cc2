import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { samplesOf } from "../src/browser/operate/PrometheusText.ts"
import { trafficFindings } from "../src/browser/operate/TrafficFindings.ts"
import { countsOf, type Traffic, trafficBetween } from "../src/browser/operate/TrafficRates.ts"
import { intervalsOf, lastMinute, withReading } from "../src/browser/operate/TrafficReadings.ts"

const BOUNDS = ["0.01", "0.1", "1", "+Inf"]

interface Counted {
  readonly route: string
  readonly status: number
  readonly requests: number
}

/** The text of a process that has counted these; each took up to `seconds`. */
const metrics = (counted: ReadonlyArray<Counted>, startedAt = 5, seconds = 0.05): string =>
  [
    "# HELP launch_registry_http_requests_total Requests",
    "# TYPE launch_registry_http_requests_total counter",
    ...counted.map(
      ({ requests, route, status }) =>
        `launch_registry_http_requests_total{method="GET",route="${route}",status="${status}"} ${requests}`,
    ),
    ...counted.flatMap(({ requests, route, status }) =>
      BOUNDS.map((le) => {
        const count = le === "+Inf" || Number(le) >= seconds ? requests : 0
        return `launch_registry_http_request_duration_seconds_bucket{method="GET",route="${route}",s="${status}",le="${le}"} ${count}`
      }),
    ),
    `launch_registry_process_start_time_seconds ${startedAt}`,
    "launch_registry_http_requests_in_flight 3",
    "",
  ].join("\n")

const at = (second: number, ...counted: ReadonlyArray<Counted>) => countsOf(metrics(counted), second * 1_000)
const of = (route: string, requests: number, status = 200): Counted => ({ route, status, requests })

describe("Samples of Prometheus' text", () => {
  it("have names, labels with what is escaped in them, and values", () => {
    const text = 'other 1\na_b{x="1",y="quote \\" line \\n back \\\\"} 2.5e3\na_c +Inf\na_d{} 4\nbroken{ 1\na_e\n'
    assert.deepStrictEqual(samplesOf(text, "a_"), [
      { name: "a_b", labels: { x: "1", y: 'quote " line \n back \\' }, value: 2_500 },
      { name: "a_c", labels: {}, value: Number.POSITIVE_INFINITY },
      { name: "a_d", labels: {}, value: 4 },
    ])
  })
})

describe("Traffic", () => {
  it("is what was counted between two readings of one process", () => {
    const before = at(0, of("/a", 10), of("/a", 1, 503))
    const after = at(10, of("/a", 60), of("/a", 3, 503), of("/b", 8, 429), of("/b", 40, 404), of("/b", 0, 201))
    const { routes, ...traffic } = trafficBetween(before, after)!
    assert.deepStrictEqual(traffic, {
      ...{
        seconds: 10,
        requests: 100,
        perSecond: 10,
        refused: 40,
        limited: 8,
        failed: 2,
        p50: 0.1,
        p95: 0.1,
        slowest: "GET /a",
      },
    })
    assert.deepStrictEqual(routes, [
      { route: "GET /a", perSecond: 5.2, failed: 2, limited: 0, p95: 0.1 },
      { route: "GET /b", perSecond: 4.8, failed: 0, limited: 8, p95: 0.1 },
    ])
    assert.strictEqual(after.inFlight, 3)
  })

  it("is nothing across a restart, another replica, or no time", () => {
    const one = at(0, of("/a", 10))
    assert.isUndefined(trafficBetween(one, countsOf(metrics([of("/a", 20)], 6), 9_000)))
    assert.isUndefined(trafficBetween(one, one))
    assert.isUndefined(lastMinute([]))
    assert.isUndefined(lastMinute([one]))
  })

  const Requests = Schema.Array(
    Schema.Struct({
      route: Schema.Literals(["/a", "/b/:id", "/ipfs/*"]),
      status: Schema.Literals([200, 304, 404, 429, 500, 503]),
    }),
  )

  it.prop("of intervals has as many requests as that of the whole time", [Schema.Array(Requests)], ([steps]) => {
    const totals = new Map(steps.flat().map(({ route, status }) => [`${route} ${status}`, of(route, 0, status)]))
    const readings = [at(0, ...totals.values())]
    for (const [step, requests] of steps.entries()) {
      for (const { route, status } of requests) {
        const key = `${route} ${status}`
        totals.set(key, of(route, totals.get(key)!.requests + 1, status))
      }
      readings.push(at((step + 1) * 10, ...totals.values()))
    }
    const whole = trafficBetween(readings[0]!, { ...readings.at(-1)!, at: 1e9 })!
    const parts = intervalsOf(readings)
    const sum = (count: (traffic: Traffic) => number) => parts.reduce((total, part) => total + count(part), 0)
    assert.strictEqual(
      sum(({ requests }) => requests),
      whole.requests,
    )
    assert.strictEqual(
      sum(({ failed }) => failed),
      whole.failed,
    )
    assert.strictEqual(
      sum(({ limited, refused }) => limited + refused),
      whole.limited + whole.refused,
    )
    assert.strictEqual(whole.requests, steps.flat().length)
  })

  it("is of the last minute, of the process that was read last, and of bounded readings", () => {
    let readings: ReadonlyArray<ReturnType<typeof at>> = []
    for (let read = 0; read < 100; read++) {
      readings = withReading(readings, at(read * 10, of("/a", read * 100)))
      readings = withReading(readings, countsOf(metrics([of("/b", read)], 77), read * 10_000 + 1))
    }
    assert.lengthOf(readings, 60)
    const last = lastMinute(readings)!
    assert.deepStrictEqual([last.seconds, last.requests, last.routes[0]!.route], [60, 6, "GET /b"])
    assert.lengthOf(intervalsOf(readings), 29)
  })
})

describe("Findings of traffic", () => {
  const found = (after: ReadonlyArray<Counted>, seconds = 0.05) =>
    trafficFindings(trafficBetween(countsOf(metrics([]), 0), countsOf(metrics(after, 5, seconds), 60_000))).map(
      ({ isBad, runbook, what }) => `${isBad ? "bad" : "look"} ${runbook}: ${what}`,
    )

  it("are failures, slow answers and limits, as the runbook has them", () => {
    assert.deepStrictEqual(found([of("/a", 100)]), [])
    assert.deepStrictEqual(found([of("/a", 95), of("/a", 5, 503)]), [])
    assert.deepStrictEqual(found([of("/a", 90), of("/b", 10, 503)]), [
      "bad RequestErrors: 10 % of the requests fail, most of them GET /b",
    ])
    assert.deepStrictEqual(found([of("/a", 100)], 2), [
      "look RequestsSlow: One request in 20 takes longer than a second, the slowest are GET /a",
    ])
    for (const route of ["/api/stream", "/ipfs/*", "/api/ipfs/upload-image", "unmatched"])
      assert.deepStrictEqual(found([of(route, 100)], 2), [], route)
    // Many fast answers to a scan hide no slow operation.
    const scanned = `${metrics([of("/api/tokens", 30)], 5, 2)}${metrics([of("unmatched", 1_000, 404)])}`
    const [slow] = trafficFindings(trafficBetween(countsOf(metrics([]), 0), countsOf(scanned, 60_000)))
    assert.include(slow!.what, "the slowest are GET /api/tokens")
    assert.deepStrictEqual(found([of("/a", 50), of("/a", 50, 429)]), [
      "look undefined: 50 % of the requests are refused with 429",
    ])
    // Of a few requests a share says nothing.
    assert.deepStrictEqual(found([of("/a", 10, 500)]), [])
    assert.deepStrictEqual(trafficFindings(undefined), [])
  })
})
