import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { EndpointHealth } from "../../src/rpc/EndpointHealth.ts"

const verified = (): EndpointHealth => {
  const health = new EndpointHealth()
  health.verify(true)
  return health
}

const probe = (now: number, more: Partial<Parameters<EndpointHealth["probeSucceeded"]>[0]> = {}) => ({
  now,
  latencyMillis: 5,
  slotLag: 0,
  isCovered: true,
  ...more,
})

/** Fails until the breaker opens; returns the cool-down. */
const open = (health: EndpointHealth, now: number): number => {
  for (let failure = 0; failure < 3; failure++) health.failed(now)
  assert.strictEqual(health.stateAt(now), "open")
  return health.openUntil - now
}

const close = (health: EndpointHealth, now: number): void => {
  for (let good = 0; good < 3; good++) health.probeSucceeded(probe(now))
  assert.strictEqual(health.stateAt(now), "closed")
}

describe("The breaker", () => {
  it("opens after three failures in a row, not three in total", () => {
    const health = verified()
    for (let round = 0; round < 5; round++) {
      health.failed(round)
      health.failed(round)
      health.answered(round)
    }
    assert.strictEqual(health.stateAt(5), "closed")
    open(health, 5)
  })

  it("cools down longer each time, up to half a minute, and starts over after a stable minute", () => {
    const health = verified()
    const coolDowns: Array<number> = []
    for (const now of [0, 10_000, 20_000, 30_000]) {
      coolDowns.push(open(health, now))
      close(health, now + 5_000)
    }
    assert.deepStrictEqual(coolDowns, [2_000, 8_000, 30_000, 30_000])
    assert.strictEqual(open(health, 96_000), 2_000)
  })

  it("closes after three good probes in a row; a failed or slow one resets the count", () => {
    const health = verified()
    open(health, 0)
    health.probeSucceeded(probe(2_000))
    health.probeSucceeded(probe(2_600))
    health.probeFailed({ isSilence: true, now: 3_200, startedAt: 3_100, canLeave: true })
    health.probeSucceeded(probe(4_000))
    health.probeSucceeded(probe(4_600))
    health.probeSucceeded(probe(5_200, { latencyMillis: 800 }))
    assert.strictEqual(health.stateAt(5_200), "open")
    close(health, 6_000)
  })

  it("closes after one good probe, however slow, when no other endpoint is in use", () => {
    const health = verified()
    open(health, 0)
    health.probeSucceeded(probe(500, { latencyMillis: 900, isCovered: false }))
    assert.strictEqual(health.stateAt(500), "closed")
  })

  it("opens on a failed probe when the endpoint has been silent and another one is in use", () => {
    const silent = verified()
    silent.probeFailed({ isSilence: true, now: 1_000, startedAt: 0, canLeave: true })
    assert.strictEqual(silent.stateAt(1_000), "open")
    const answering = verified()
    answering.answered(500)
    answering.probeFailed({ isSilence: true, now: 1_000, startedAt: 0, canLeave: true })
    assert.strictEqual(answering.stateAt(1_000), "closed")
    const confirmed = verified()
    confirmed.failed(500)
    confirmed.probeFailed({ isSilence: true, now: 1_600, startedAt: 600, canLeave: false })
    assert.strictEqual(confirmed.stateAt(1_600), "open")
    const alone = verified()
    for (const now of [1_000, 2_000])
      alone.probeFailed({ isSilence: true, now, startedAt: now - 1_000, canLeave: false })
    assert.strictEqual(alone.stateAt(2_000), "closed")
    alone.probeFailed({ isSilence: true, now: 3_000, startedAt: 2_000, canLeave: false })
    assert.strictEqual(alone.stateAt(3_000), "open")
  })

  it("stays closed through a pause, and a pause is never shortened", () => {
    const health = verified()
    health.pause(0, 5_000)
    health.pause(100, 2_000)
    assert.deepStrictEqual([health.stateAt(4_999), health.stateAt(5_000)], ["paused", "closed"])
  })

  it("lengthens repeated pauses, and resets after a minute without one", () => {
    const health = verified()
    const pauses: Array<number> = []
    let now = 0
    for (let round = 0; round < 7; round++) {
      health.pause(now, 1_000)
      pauses.push(health.pausedUntil - now)
      now = health.pausedUntil
    }
    assert.deepStrictEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    now += 60_001
    health.pause(now, 1_000)
    assert.strictEqual(health.pausedUntil - now, 1_000)
  })

  it("opens after three failed probes that were answered", () => {
    const health = verified()
    for (const now of [100, 200, 300]) {
      assert.strictEqual(health.stateAt(now), "closed")
      health.probeFailed({ isSilence: false, now, startedAt: now - 5, canLeave: true })
    }
    assert.strictEqual(health.stateAt(300), "open")
  })

  it("is behind at the slot limit, and back at half of it", () => {
    const health = verified()
    const states = [25, 26, 20, 13, 12, 25, 26].map((slotLag, at) => {
      health.probeSucceeded(probe(at, { slotLag }))
      return health.stateAt(at)
    })
    assert.deepStrictEqual(states, ["closed", "behind", "behind", "behind", "closed", "closed", "behind"])
  })

  it("reports the most lasting reason", () => {
    const health = verified()
    health.fellBehind()
    assert.strictEqual(health.stateAt(0), "behind")
    health.pause(0, 1_000)
    assert.strictEqual(health.stateAt(0), "paused")
    open(health, 0)
    health.verify(false)
    assert.strictEqual(health.stateAt(0), "wrong_cluster")
    health.forbid()
    assert.strictEqual(health.stateAt(0), "forbidden")
  })

  const Step = Schema.Literals(["answered", "failed", "good", "slow", "bad", "unverify", "verify", "pause", "rest"])
  it.prop(
    "is never closed without a verified cluster, nor right after three failures",
    [Schema.Array(Step)],
    ([steps]) => {
      const health = new EndpointHealth()
      let now = 0
      let isVerified = false
      let failures = 0
      let goodProbes = 0
      for (const step of steps) {
        now += 100
        const wasOpen = health.stateAt(now) === "open"
        if (step === "answered") health.answered(now)
        if (step === "failed") health.failed(now)
        if (step === "good" || step === "slow")
          health.probeSucceeded(probe(now, { latencyMillis: step === "slow" ? 900 : 5 }))
        if (step === "bad") health.probeFailed({ isSilence: true, now, startedAt: now - 50, canLeave: true })
        if (step === "unverify") health.unverify()
        if (step === "verify") health.verify(true)
        if (step === "pause") health.pause(now, 150)
        if (step === "rest") health.rest()
        isVerified = step === "verify" || (isVerified && step !== "unverify" && step !== "rest")
        failures = step === "failed" && !wasOpen ? failures + 1 : step === "answered" ? 0 : failures
        goodProbes = step === "good" ? goodProbes + 1 : step === "slow" || step === "bad" ? 0 : goodProbes
        const isInUse = health.stateAt(now) === "closed"
        if (isInUse) assert.isTrue(isVerified)
        if (isInUse && wasOpen) assert.isAtLeast(goodProbes, 3)
        if (step === "failed" && failures >= 3) assert.isFalse(isInUse)
        if (health.stateAt(now) === "open") failures = 0
      }
    },
  )
})
