import { assert, describe, it } from "@effect/vitest"
import { PrimaryState } from "../src/durability/DatabaseDurability.ts"
import { describeDurability, durabilityOf, standbysOf } from "../src/durability/Durability.ts"

const rowOf = (settings: Readonly<Record<string, string>> = {}) => ({
  ...{ fsync: "on", pages: "on", waits: "on", names: "", ...settings },
})

describe("What an acknowledged write survives", () => {
  it.each([
    [{}, "local", 0],
    [{ fsync: "off", names: "*" }, "none", 0],
    [{ pages: "off" }, "none", 0],
    [{ waits: "off", names: "*" }, "none", 0],
    [{ waits: "local", names: "*" }, "local", 0],
    [{ names: "*" }, "replicated", 1],
    [{ waits: "remote_write", names: "ANY 2 (a, b, c)" }, "replicated", 2],
    [{ waits: "remote_apply", names: "a, b" }, "replicated", 1],
  ] as const)("follows from the settings of PostgreSQL: %j", (settings, level, standbys) => {
    const found = durabilityOf(rowOf(settings))!
    assert.deepStrictEqual([found.level, found.standbys], [level, standbys])
    assert.isNotEmpty(describeDurability(found))
  })

  it("is not known of a server that says something else", () => {
    assert.isUndefined(durabilityOf({ fsync: "on" }))
    assert.isUndefined(durabilityOf(undefined))
  })

  it.each([
    ["", 0],
    ["  ", 0],
    ["*", 1],
    ['"a-1", b', 1],
    ["ANY 2 (a,b,c)", 2],
    ["any 3(a,b,c)", 3],
    ["FIRST 2 (a, b)", 2],
    ["2 (a, b)", 2],
  ] as const)("counts the standbys that %j asks for", (names, expected) => {
    assert.strictEqual(standbysOf(names), expected)
  })

  it("is short of a demand only where it is known to be less", () => {
    const state = new PrimaryState("replicated")
    assert.isFalse(state.isShort)
    state.durability = durabilityOf(rowOf())
    assert.isTrue(state.isShort)
    state.durability = durabilityOf(rowOf({ names: "*" }))
    assert.isFalse(state.isShort)
    const undemanding = new PrimaryState()
    undemanding.durability = durabilityOf(rowOf({ fsync: "off" }))
    assert.isFalse(undemanding.isShort)
  })
})
