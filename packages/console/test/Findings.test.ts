import { assert, describe, it } from "@effect/vitest"
import { findings, type Readings } from "../src/browser/operate/Findings.ts"
import type { PartHealth as Part } from "@launch-registry/client"
import { commandsFor } from "../src/browser/operate/IndexerCommands.ts"
import type { Health, IndexerReport, RpcEndpoint } from "../src/browser/operate/Reports.ts"
import { slotSegments } from "../src/browser/operate/SlotSegments.ts"
import { Failure } from "../src/browser/Failure.ts"

const NOW = Date.parse("2026-11-23T12:00:00Z")
const UP: Part = { status: "up", detail: "fine" }

const HEALTH: Health = {
  ...{ status: "ok", version: "1", network: "localnet", uptimeSeconds: 1 },
  ...{ database: UP, rpc: UP, indexer: UP, ipfs: UP, bridge: { status: "off", detail: "not configured" } },
}
const INDEXER: IndexerReport = {
  leader: { holder: "replica-1", expiresAt: "2026-11-23T12:00:10Z" },
  ...{
    slot: "10",
    moduleHash: null,
    logOffset: "1",
    inbox: { pendingSegments: 0, nextOffset: "2" },
    finalizedSlot: "310",
    watermarkSlot: "10",
    programWatermarkSlot: "10",
    unprovenSeconds: 120,
  },
  ...{ coverage: [], gaps: [], poison: 0, deadLetters: 0, dropped: 0, webhook: null, replay: null },
  reportedAt: null,
}
const endpoint = (name: string, fields: Partial<RpcEndpoint> = {}): RpcEndpoint => ({
  ...{ name, state: "closed", slot: "10", slotLag: 0, latencyMillis: { p50: 1, p95: 2, p99: 3 } },
  ...{ calls: 1, probes: 1, errors: {}, genesisHash: null, latencyHistogram: [], refusedMethods: [] },
  ...{ hedgesWon: 0, hedgesLost: 0, timesOutOfUse: 0, lastFault: null },
  ...fields,
})
const WELL: Readings = {
  health: HEALTH,
  readiness: { warnings: [] },
  indexer: INDEXER,
  rpc: { switches: 0, endpoints: [endpoint("primary")], changes: [] },
}
const found = (fields: Partial<Readings>) =>
  findings({ ...WELL, ...fields }, NOW).map(({ isBad, runbook }) => `${isBad ? "bad" : "look"} ${runbook}`)

describe("What Operate finds", () => {
  it("is nothing where all is well", () => assert.deepStrictEqual(found({}), []))

  it("is each RPC endpoint that is not in use", () => {
    const endpoints = [endpoint("primary"), endpoint("backup", { state: "forbidden" }), endpoint("backup-2")]
    assert.deepStrictEqual(found({ rpc: { switches: 1, endpoints, changes: [] } }), ["bad RpcEndpointDown"])
    const dead = [
      endpoint("primary", { state: "open", lastFault: { fault: "refused", method: "getSlot", atMillis: 0 } }),
    ]
    const all = findings({ ...WELL, rpc: { switches: 0, endpoints: dead, changes: [] } }, NOW)
    assert.deepStrictEqual(
      all.map(({ runbook }) => runbook),
      ["RpcAllDown", "RpcEndpointDown"],
    )
    assert.include(all[1]!.what, "primary is open (last fault: refused of getSlot)")
    const cordoned = [endpoint("primary"), endpoint("backup", { cordon: { reason: "slow", since: "" } })]
    assert.deepStrictEqual(found({ rpc: { switches: 0, endpoints: cordoned, changes: [] } }), [
      "look RpcEndpointCordoned",
    ])
  })

  it("is what stops the index and its proof, the worst first", () => {
    const indexer = { ...INDEXER, deadLetters: 2, poison: 1, unprovenSeconds: 121, leader: null }
    assert.deepStrictEqual(found({ indexer }), [
      "bad IndexerWithoutLeader",
      "bad ProvenSlotStalls",
      "look DeadLettersGrow",
      "look DeadLettersGrow",
    ])
    const expired = { ...INDEXER, leader: { holder: "replica-1", expiresAt: "2026-11-23T11:59:59Z" } }
    assert.deepStrictEqual(found({ indexer: expired }), ["bad IndexerWithoutLeader"])
    assert.deepStrictEqual(found({ indexer: { ...INDEXER, webhook: { state: "refused", detail: "key" } } }), [
      "bad ProvenSlotStalls",
    ])
  })

  it("is a part that is down, unless its own report says so more closely", () => {
    const down: Part = { status: "down", detail: "does not answer" }
    assert.deepStrictEqual(found({ health: { ...HEALTH, ipfs: { ...down, status: "degraded" } } }), [
      "look IpfsOutboxOld",
    ])
    const endpoints = [endpoint("primary", { state: "wrong_cluster" }), endpoint("backup")]
    const rpc = { switches: 0, endpoints, changes: [] }
    assert.deepStrictEqual(found({ health: { ...HEALTH, rpc: down }, rpc }), ["bad RpcEndpointDown"])
    const hidden = new Failure(401, "unauthenticated", "Not authenticated")
    assert.deepStrictEqual(found({ health: { ...HEALTH, rpc: down }, rpc: hidden }), ["bad RpcEndpointDown"])
  })

  it("is a replica that is not ready, or does not answer", () => {
    assert.deepStrictEqual(found({ readiness: new Failure(503, "not_ready", "Not ready") }), ["bad DatabaseAway"])
    const gone = new Failure(0, "no_answer", "The service does not answer")
    assert.deepStrictEqual(found({ health: gone, readiness: gone, indexer: gone, rpc: gone }), ["bad RegistryDown"])
  })
})

describe("The line of slots", () => {
  const range = (fromSlot: string, toSlot: string) => ({ fromSlot, toSlot })

  it("has proven slots and gaps to scale", () => {
    assert.deepStrictEqual(slotSegments([range("0", "499"), range("750", "999")], [range("500", "749")]), [
      { kind: "proven", from: 0, width: 500 },
      { kind: "proven", from: 750, width: 250 },
      { kind: "gap", from: 500, width: 250 },
    ])
  })

  it("shows the smallest gap, wherever it is, in slots beyond what floats hold", () => {
    const [, gap] = slotSegments(
      [range("9007199254740993", "9007199354740992")],
      [range("9007199354740993", "9007199354740993")],
    )
    assert.deepStrictEqual(gap, { kind: "gap", from: 996, width: 4 })
    assert.deepStrictEqual(slotSegments([], []), [])
  })
})

describe("Commands of an operator", () => {
  it("have the gaps of now, and what to look at where something was not read", () => {
    const texts = (fields: Partial<IndexerReport>) => commandsFor({ ...INDEXER, ...fields }).map(({ text }) => text)
    assert.deepStrictEqual(texts({}), ["node packages/indexer/src/main.ts replay"])
    const gaps = [{ fromSlot: "5", toSlot: "9" }]
    const all = texts({ gaps, deadLetters: 1, poison: 1 })
    assert.strictEqual(all[0], "node packages/indexer/src/main.ts backfill 5 9")
    assert.match(all.join(), /dead_letters[^]*inbox_poison/)
  })
})
