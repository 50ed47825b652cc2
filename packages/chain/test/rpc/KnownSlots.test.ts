import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { Endpoint } from "../../src/rpc/Endpoint.ts"
import { KnownSlots } from "../../src/rpc/KnownSlots.ts"
import { Rpc } from "../../src/rpc/Rpc.ts"
import { DEAD_URL, over, reportOf, standInNode, until, untilState } from "./StandInNode.ts"

const SECOND = 1_000
const HOUR = 3_600_000
const SLOTS_OF_AN_HOUR = 9_000

/** Endpoints in use, on a clock of their own. */
const endpointsOf = (count: number) => {
  let now = 0
  const all = Array.from({ length: count }, (_, index) => {
    const endpoint = new Endpoint({
      name: `endpoint ${index}`,
      url: Redacted.make(DEAD_URL),
      now: () => now,
      timeMillis: () => now,
      admit: () => undefined,
    })
    endpoint.health.verify(true)
    return endpoint
  })
  const slots = new KnownSlots(all, () => now)
  return {
    pass: (millis: number) => void (now += millis),
    /** The slots they report, one after the other; returns which of them are believed. */
    show: (...shown: ReadonlyArray<number | undefined>) =>
      shown.flatMap((slot, index) => (slot === undefined ? [] : [slots.see(all[index]!, BigInt(slot))])),
    lag: (slot: number) => Number(slots.lagOf(BigInt(slot))),
    stillMillis: () => slots.stillMillis(),
    slotMillis: () => slots.slotMillis,
    /** The state after a probe with this lag. */
    judge: (index: number, slotLag: number) => {
      const { health } = all[index]!
      health.probeSucceeded({ now, latencyMillis: 5, slotLag, isCovered: true })
      return health.stateAt(now)
    },
  }
}

describe("How long a slot takes", () => {
  it("is measured by the slots that endpoints show, whatever it is", () => {
    for (const millis of [400, 250, 200]) {
      const { pass, show, slotMillis } = endpointsOf(2)
      const passed = (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
          pass(SECOND)
          at += SECOND / millis
          // Another one is behind, and shows its slots as well.
          show(Math.floor(at), Math.floor(at) - 20)
        }
      }
      let at = 1_000
      show(at)
      passed(9)
      assert.strictEqual(slotMillis(), 200, "the shortest that is announced, until it was measured")
      passed(30)
      assert.closeTo(slotMillis(), millis, 5)
    }
  })

  it("follows the chain when it becomes faster, stands still, or starts over", () => {
    const { pass, show, slotMillis } = endpointsOf(1)
    let slot = 1_000
    const passed = (seconds: number, slots: number) => {
      for (let second = 0; second < seconds; second++) {
        pass(SECOND)
        show((slot += slots))
      }
    }
    show(slot)
    passed(120, 4)
    assert.strictEqual(slotMillis(), 250)
    passed(61, 5)
    assert.strictEqual(slotMillis(), 200)
    passed(30, 0)
    assert.strictEqual(slotMillis(), 200)
    passed(1, 5)
    assert.isAtMost(slotMillis(), 400)
    slot = 5
    passed(80, 4)
    assert.strictEqual(slotMillis(), 250)
  })
})

describe("The slot of the chain", () => {
  it("is the highest that any endpoint reports", () => {
    const { lag, pass, show } = endpointsOf(2)
    show(1_000, 1_040)
    pass(SECOND)
    show(1_002, 1_043)
    assert.deepStrictEqual([lag(1_002), lag(1_043), lag(1_050)], [41, 0, 0])
  })

  it("is the highest at the start, however far behind the others are", () => {
    const { lag, show } = endpointsOf(2)
    assert.deepStrictEqual(show(1_000, 51_000), [true, true])
    assert.strictEqual(lag(1_000), 50_000)
  })

  it("ignores an endpoint that leaps ahead while the others advance normally", () => {
    const { lag, pass, show } = endpointsOf(5)
    for (const slot of [1_000, 1_002]) {
      show(slot, slot, slot, slot, slot)
      pass(SECOND)
    }
    for (const slot of [1_005, 1_008, 1_010]) {
      const leapt = slot + 49_998
      assert.deepStrictEqual(show(slot, slot, leapt, slot, slot), [true, true, false, true, true])
      assert.strictEqual(lag(slot), 0)
      pass(SECOND)
    }
    // It has recovered.
    assert.deepStrictEqual(show(undefined, undefined, 1_013), [true])
    assert.strictEqual(lag(1_010), 3)
  })

  it("ignores a leap in two steps: endpoints that the first step put behind recover", () => {
    const { judge, lag, pass, show } = endpointsOf(3)
    for (const slot of [1_000, 1_002]) {
      show(slot, slot, slot)
      pass(SECOND)
    }
    show(1_005, 1_005, 2_500)
    assert.deepStrictEqual([judge(0, lag(1_005)), judge(1, lag(1_005))], ["behind", "behind"])
    pass(SECOND)
    assert.deepStrictEqual(show(1_008, 1_008, 61_000), [true, true, false])
    assert.deepStrictEqual([lag(1_008), judge(0, lag(1_008))], [0, "closed"])
  })

  it("accepts a lead of less than ten minutes", () => {
    const { lag, pass, show } = endpointsOf(2)
    show(1_000, 1_000)
    pass(SECOND)
    show(1_002, 1_002)
    pass(SECOND)
    assert.deepStrictEqual(show(1_005, 2_500), [true, true])
    assert.strictEqual(lag(1_005), 1_495)
  })

  it("is what all report after a pause of this process, whether its clock advanced or not", () => {
    for (const elapsed of [SECOND, 5 * HOUR]) {
      const { lag, pass, show } = endpointsOf(3)
      show(1_000, 1_000, 1_000)
      pass(SECOND)
      show(1_002, 1_002, 1_002)
      pass(elapsed)
      const slot = 1_002 + 5 * SLOTS_OF_AN_HOUR
      show(slot, slot, slot)
      pass(SECOND)
      assert.deepStrictEqual(show(slot + 2, slot + 2, slot + 2), [true, true, true])
      assert.strictEqual(lag(slot), 2)
    }
  })

  it("follows the endpoint that advances when the others are stuck", () => {
    const { lag, pass, show } = endpointsOf(2)
    show(1_000, 1_000)
    pass(SECOND)
    show(1_002, 1_002)
    const slot = 1_002 + SLOTS_OF_AN_HOUR
    for (let second = 0; second <= 60; second++) {
      pass(SECOND)
      show(1_002, slot + second)
    }
    pass(SECOND)
    assert.deepStrictEqual(show(1_002, slot + 61), [true, true])
    assert.strictEqual(lag(1_002), SLOTS_OF_AN_HOUR + 61)
  })

  it("is what all go on from after ten minutes in which none was confirmed, and no endpoint is out of use meanwhile", () => {
    const { judge, lag, pass, show, stillMillis } = endpointsOf(3)
    show(1_000, 1_000, 1_000)
    pass(SECOND)
    show(1_002, 1_002, 1_001)
    for (let second = 0; second < 600; second++) {
      pass(SECOND)
      assert.deepStrictEqual(show(1_002, 1_002, 1_001), [true, true, true])
      assert.deepStrictEqual([judge(0, lag(1_002)), judge(2, lag(1_001))], ["closed", "closed"])
    }
    assert.strictEqual(stillMillis(), 600_000)
    // One trickles on; the others leap to where the cluster is, one after the other.
    assert.deepStrictEqual(show(undefined, undefined, 1_003), [true])
    assert.isUndefined(stillMillis())
    pass(SECOND)
    const slot = 4_000
    show(slot, slot, 1_005)
    pass(SECOND)
    assert.deepStrictEqual(show(slot + 5, slot + 5, 1_010), [true, true, true])
    assert.deepStrictEqual([lag(slot + 5), lag(1_010)], [0, 2_995])
    assert.deepStrictEqual([judge(0, 0), judge(1, 0), judge(2, 2_995)], ["closed", "closed", "behind"])
    pass(SECOND)
    show(slot + 10, slot + 10, slot + 8)
    assert.strictEqual(judge(2, lag(slot + 8)), "closed")
    // Slots that the cluster used before, and uses again.
    pass(SECOND)
    assert.deepStrictEqual(show(3_000, 3_000, 3_001), [true, true, true])
    assert.deepStrictEqual([judge(0, lag(3_000)), judge(2, lag(3_001))], ["closed", "closed"])
  })

  it("is what one of two endpoints leapt to, once that has gone on for five minutes", () => {
    const { lag, pass, show } = endpointsOf(2)
    for (const slot of [1_000, 1_002]) {
      show(slot, slot)
      pass(SECOND)
    }
    for (let second = 0; second < 300; second++) {
      assert.deepStrictEqual(show(1_005 + 3 * second, 9_000 + 3 * second), [true, false])
      pass(SECOND)
    }
    assert.deepStrictEqual(show(1_905, 9_900), [true, true])
    assert.strictEqual(lag(1_905), 7_995)
  })

  it("follows a single endpoint, also after the cluster was stopped", () => {
    const { lag, pass, show } = endpointsOf(1)
    for (const slot of [1_000, 1_002, 90_000, 90_002]) {
      assert.deepStrictEqual(show(slot), [true])
      assert.strictEqual(lag(slot), 0)
      pass(SECOND)
    }
    pass(5 * HOUR)
    assert.deepStrictEqual(show(90_003), [true])
    // A test cluster that was reset.
    pass(5 * HOUR)
    assert.deepStrictEqual(show(5), [true])
    assert.strictEqual(lag(5), 0)
  })

  it.live("ignores a node that leaps: no endpoint is behind it, and no blockhash comes from it", () =>
    Effect.gen(function* () {
      const nodes = [yield* standInNode, yield* standInNode, yield* standInNode]
      yield* Effect.gen(function* () {
        const { getLatestBlockhash } = yield* Rpc
        const names = ["primary", "backup", "backup-2"]
        for (const name of names) yield* untilState(name, "closed")
        const started = yield* reportOf("primary")
        yield* until(Effect.map(reportOf("primary"), ({ slot }) => BigInt(slot!) > BigInt(started.slot!) + 1n))
        nodes[1]!.lag = -50_000
        yield* until(Effect.map(reportOf("backup"), ({ slot }) => Number(slot) > nodes[0]!.slot + 40_000))
        for (let round = 0; round < 10; round++) {
          assert.isBelow(Number((yield* getLatestBlockhash).slot), nodes[0]!.slot + 10)
          yield* Effect.sleep(50)
        }
        for (const name of names) {
          assert.deepInclude(yield* reportOf(name), { state: "closed", timesOutOfUse: 0 })
          assert.isBelow((yield* reportOf(name)).slotLag!, 25)
        }
      }).pipe(
        Effect.provide(
          over(
            nodes.map(({ url }) => url),
            { probeMillis: 100 },
          ),
        ),
      )
    }),
  )

  it.live("ignores a leap in a requested blockhash: it is not built on", () =>
    Effect.gen(function* () {
      const [primary, backup] = [yield* standInNode, yield* standInNode]
      primary.behave("calls", (response, call) => {
        primary.lag = -50_000
        primary.answer(response, call)
        primary.lag = 0
      })
      yield* Effect.gen(function* () {
        const { getLatestBlockhash } = yield* Rpc
        const probes = () => Math.min(primary.probes.length, backup.probes.length)
        yield* untilState("primary", "closed")
        // A genesis hash and two heads each, the second with a higher slot.
        yield* until(
          Effect.sync(() => probes() >= 3),
          10_000,
        )
        // The slots from probes are too old to build on for a moment.
        yield* until(
          Effect.match(getLatestBlockhash, {
            onFailure: ({ reason }) => assert.strictEqual(reason._tag, "NoEndpoint"),
            onSuccess: ({ slot }) => assert.isBelow(Number(slot), backup.slot + 10),
          }).pipe(Effect.map(() => primary.calls.length > 0)),
          10_000,
        )
      }).pipe(Effect.provide(over([primary.url, backup.url], { probeMillis: 2_500 })))
    }),
  )
})
