import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../../service/test/TestServer.ts"
import type { IntentsTrouble } from "./IntentsFaults.ts"
import { deliveredDetails, depositedDetails } from "./IntentsTimeline.ts"
import { TestBridge } from "./TestBridge.ts"

const SWAPS = 20
const WATCH = { perSecond: 2, burst: 2 }
const rates = { watch: WATCH, quote: { perSecond: 1_000, burst: 1_000 } }

/** Fields of a swap that a report changes, or that say how fresh the others are. */
const CHANGED = new Set(["deposits", "reported", "stale", "timeline", "updatedAt"])
const factsOf = (swap: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(swap).filter(([field]) => !CHANGED.has(field)))

/** The most requests in any window of `seconds` that begins with one of them. */
const most = (times: ReadonlyArray<number>, seconds: number): number =>
  Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + seconds * 1_000).length))

/** Kinds of outage of the swap service. */
const OUTAGES: ReadonlyArray<readonly [name: string, trouble: IntentsTrouble]> = [
  ["resets connections", "reset"],
  ["is replaced by a page with status 200", { status: 200, isHtml: true }],
  ["repeatedly asks for a pause of two minutes", { status: 503, retryAfter: "120" }],
]

for (const [name, trouble] of OUTAGES)
  it.effect(`Ten minutes in which the swap service ${name}: nothing is lost, concluded or hammered`, () =>
    Effect.gen(function* () {
      const { pass, quote, read, report, standIn, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const swaps = yield* Effect.forEach(Array.from({ length: SWAPS }), () => swap())
      const quotedOf = (depositAddress: string) => standIn.swapAt(depositAddress).response.quote
      for (const { depositAddress } of swaps)
        standIn.tell(depositAddress, [
          { status: "PROCESSING", swapDetails: depositedDetails(quotedOf(depositAddress)) },
          {
            ...{ status: "SUCCESS", swapDetails: deliveredDetails(quotedOf(depositAddress)) },
            ...{ afterMillis: 750_000, afterSubmit: true },
          },
        ])
      yield* pass(150)
      const before = yield* Effect.forEach(swaps, ({ id }) => read(id))
      assert.deepStrictEqual([...new Set(before.map(({ substatus }) => substatus))], ["processing"])
      assert.deepStrictEqual([...new Set(before.map(({ stale }) => stale))], [false])
      const list = (yield* request("/api/bridge/tokens")).body
      assert.isFalse(list.stale)

      standIn.trouble(trouble)
      yield* pass(300)
      for (const [at, { depositAddress }] of swaps.entries()) {
        const answer = yield* report(depositAddress, `meanwhile-${at}-`.padEnd(40, "x"))
        assert.deepInclude({ status: answer.status, ...answer.body.data }, { status: 200, accepted: true })
      }
      yield* pass(300)

      for (const [at, { depositAddress, id }] of swaps.entries()) {
        const status = yield* request(`/api/bridge/status/${depositAddress}`)
        assert.strictEqual(status.status, 200)
        assert.deepInclude(status.body.data, { id, status: "pending", substatus: "processing", stale: true })
        const record = yield* read(id)
        assert.isTrue(record.stale)
        assert.deepStrictEqual(factsOf(record), factsOf(before[at]))
        assert.isNull(record.deposits[0].deliveredAt)
      }
      const swapList = yield* request("/api/bridge/swaps")
      assert.strictEqual(swapList.status, 200)
      assert.isTrue(swapList.body.data.every(({ stale }: { readonly stale: boolean }) => stale))
      const old = yield* request("/api/bridge/tokens")
      assert.deepInclude({ status: old.status, ...old.body }, { status: 200, stale: true, asOf: list.asOf })
      assert.deepStrictEqual(old.body.data, list.data)
      for (const fields of [{ dry: true }, { dry: false }]) {
        const refused = yield* quote(fields)
        assert.strictEqual(refused.status, 503)
        assert.strictEqual(refused.headers.get("retry-after"), String(refused.body.details.retryAfterSeconds))
        assert.isAbove(refused.body.details.retryAfterSeconds, 0)
      }

      standIn.recover()
      const from = standIn.seen.length
      const submittedBefore = new Set(standIn.swaps.flatMap(({ submitted }) => submitted))
      assert.strictEqual(submittedBefore.size, 0)
      yield* pass(1_000)
      const since = standIn.seen.slice(from)
      const background = since.filter(({ call }) => call === "submit" || call === "status")
      const times = background.map(({ atMillis }) => atMillis)
      for (const seconds of [1, 2, 5, 10, 30, 60])
        assert.isAtMost(most(times, seconds), WATCH.burst + WATCH.perSecond * seconds, `in ${seconds} s`)
      const deliveries = since.filter(({ call }) => call === "submit").map(({ asked }) => asked.txHash)
      assert.lengthOf(deliveries, SWAPS)
      assert.strictEqual(new Set(deliveries).size, SWAPS)
      for (const { id } of swaps) {
        const record = yield* read(id)
        assert.deepInclude(record, { status: "success", substatus: "delivered", stale: false })
        assert.isNotNull(record.deposits[0].deliveredAt)
      }
      assert.isFalse((yield* request("/api/bridge/tokens")).body.stale)
      assert.strictEqual((yield* quote({ dry: false })).status, 200)
    }).pipe(Effect.provide(TestBridge.layer({ rates }))),
  )
