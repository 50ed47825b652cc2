import { assert, describe, it } from "@effect/vitest"
import { missingPart } from "@launch-registry/chain/events/MissingPart"
import type { DecodableTransaction, RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { isDeepStrictEqual } from "node:util"
import damm1 from "../fixtures/graduation-damm-v1.json" with { type: "json" }
import damm2 from "../fixtures/graduations.json" with { type: "json" }
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { readBody } from "../src/inbox/ReadBody.ts"
import { changesOf } from "../src/modules/DatabaseChanges.ts"
import { capturedTransactions } from "../src/sources/CapturedTransactions.ts"
import { CUT_NAMES, CUTS } from "./CutBodies.ts"

const isTransaction = (value: object): value is RawTransaction => "transaction" in value && "meta" in value

/** The transactions in a fixture. */
const within = (value: unknown): ReadonlyArray<RawTransaction> => {
  if (typeof value !== "object" || value === null) return []
  return isTransaction(value) ? [value] : Object.values(value).flatMap(within)
}

const generated = [...generateBlocks({ seed: 5, slots: 40, transactionsPerSlot: 6, isLarge: false, dammShare: 0.2 })]
const SOURCES: Readonly<Record<string, ReadonlyArray<RawTransaction>>> = {
  captured: capturedTransactions,
  "on migrated pools": [...within(damm1), ...within(damm2)],
  generated: generated.flatMap(({ transactions }) => transactions),
}

/** Where in its transaction something happened: instruction, and call below it; -1 for the instruction itself. */
const placeOf = (ordinal: bigint) => ({
  instruction: Number((ordinal >> 7n) & 127n),
  inner: Number(ordinal & 127n) - 1,
})

const rowsOf = (transaction: unknown) => changesOf([transaction as DecodableTransaction])

/** As it is read from the bytes of a delivery. */
const received = (transaction: unknown): unknown =>
  readBody(Buffer.from(JSON.stringify(transaction))).elements[0]!.value

describe("A transaction that a source answered or delivered", () => {
  it.each(Object.entries(SOURCES))("is whole as it is: %s", (_, transactions) => {
    assert.isAbove(transactions.length, 10)
    for (const one of transactions) {
      assert.isUndefined(missingPart(one), JSON.stringify(one).slice(0, 300))
      assert.isUndefined(missingPart(received(one)))
    }
  })

  it.each(CUT_NAMES)("is not, where its rows would be others: %s", (name) => {
    let found = 0
    for (const one of Object.values(SOURCES).flat()) {
      const cut = CUTS[name](one)
      const part = missingPart(cut)
      if (name !== "no slot" && name !== "no transaction") assert.deepStrictEqual(missingPart(received(cut)), part)
      if (part !== undefined) found++
      else if (name !== "no slot") assert.isTrue(isDeepStrictEqual(rowsOf(cut), rowsOf(one)), JSON.stringify(cut))
    }
    assert.isTrue(found > 0 || name === "no slot", "none was found out")
  })

  it("may not be, if its logs were cut off and another program called ours: the list may end between two swaps", () => {
    const withLogs = (one: RawTransaction) => ({
      ...one.meta,
      logMessages: [`Program ${"1".repeat(32)} invoke [1]`, "Log truncated"],
    })
    let count = 0
    for (const one of SOURCES.generated!) {
      const [first, second] = changesOf([one]).trades.map(({ ordinal }) => placeOf(ordinal))
      if (second === undefined || first!.inner < 0 || first!.instruction !== second.instruction) continue
      const innerInstructions = one.meta.innerInstructions!.map(({ index, instructions }) => ({
        index,
        instructions: index === second.instruction ? instructions.slice(0, second.inner) : instructions,
      }))
      const cut = { ...one, meta: { ...withLogs(one), innerInstructions } }
      assert.isFalse(isDeepStrictEqual(rowsOf(cut), rowsOf(one)))
      assert.deepStrictEqual(missingPart(cut), { part: "inner instructions", isCertain: false })
      count++
    }
    assert.isAbove(count, 5)
    // Instructions of ours alone: events tell that all is there.
    for (const one of [...SOURCES.captured!, ...SOURCES["on migrated pools"]!])
      assert.isUndefined(missingPart({ ...one, meta: withLogs(one) }))
  })

  it("is not, whichever calls were cut off, from any one on", () => {
    for (const one of Object.values(SOURCES).flat()) {
      const inner = one.meta.innerInstructions ?? []
      const count = inner.reduce((sum, { instructions }) => sum + instructions.length, 0)
      for (let kept = 0; kept < count; kept++) {
        let left = kept
        const calls = inner.map(({ index, instructions }) => {
          const some = instructions.slice(0, Math.max(left, 0))
          left -= instructions.length
          return { index, instructions: some }
        })
        const cut = { ...one, meta: { ...one.meta, innerInstructions: calls } }
        if (missingPart(cut) === undefined) assert.isTrue(isDeepStrictEqual(rowsOf(cut), rowsOf(one)))
      }
    }
  })
})
