import { assert, describe, it } from "@effect/vitest"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import { encodedEvent } from "@launch-registry/chain/dbc/EventLayouts"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Schema } from "effect"
import { capturedTransactions } from "../src/sources/CapturedTransactions.ts"
import { MODULE_HASH } from "../src/modules/ModuleHash.ts"

describe("Decoding transactions", () => {
  it("finds one swap where the program emitted two events, and none in a failed transaction", () => {
    const of = (step: string) =>
      capturedTransactions
        .filter((transaction) => transaction.step === step)
        .map((transaction) => decodeTransaction(transaction))
    for (const events of of("swap-buy")) {
      assert.lengthOf(events, 1)
      assert.deepInclude(events[0], { type: "Swapped", side: "BUY", amountIn: 1_000_000_000n })
    }
    for (const events of of("two-swaps-one-tx"))
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["Swapped", "Swapped"],
      )
    for (const events of of("swap-slippage-landed")) assert.lengthOf(events, 0)
    for (const events of of("swap2-partial-fill-complete"))
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["Swapped", "CurveComplete"],
      )
    for (const events of of("migrate-damm-v2"))
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["PoolMigrated"],
      )
    const [created] = of("create-pool")[0]!
    assert.deepInclude(created, {
      type: "PoolCreated",
      name: "Test Token",
      symbol: "TEST",
      uri: "https://ex.test/m.json",
    })
  })

  it("skips instructions longer than the program can emit: decoding base58 takes quadratic time", () => {
    const eventsWith = (step: string, callBytes: number) => {
      const landed = capturedTransactions.find((transaction) => transaction.step === step)!
      const { message } = landed.transaction
      const instructions = message.instructions.map((call) => {
        const data = new Uint8Array(callBytes)
        data.set(decodeBase58(call.data)!)
        return { ...call, data: encodeBase58(data) }
      })
      const padded = { ...landed, transaction: { ...landed.transaction, message: { ...message, instructions } } }
      return decodeTransaction(padded).map(({ type }) => type)
    }
    for (const [step, type] of [
      ["create-config", "ConfigCreated"],
      ["create-pool", "PoolCreated"],
    ] as const) {
      assert.include(eventsWith(step, 10_240), type)
      assert.notInclude(eventsWith(step, 10_260), type)
    }
  })

  it("finds swaps in inner instructions of other programs", () => {
    const buy = capturedTransactions.find(({ step }) => step === "swap-buy")
    const { instructions } = buy!.transaction.message
    const at = instructions.findIndex(
      ({ data }) =>
        data.length > 20 &&
        decodeTransaction(buy!)[0]!.at.instruction >= 0 &&
        data === instructions[decodeTransaction(buy!)[0]!.at.instruction]!.data,
    )
    const inner = buy!.meta.innerInstructions!.find(({ index }) => index === at)!
    const deeper = [
      { ...instructions[at]!, stackHeight: 2 },
      ...inner.instructions.map((call) => ({ ...call, stackHeight: (call.stackHeight ?? 2) + 1 })),
    ]
    const routed: RawTransaction = {
      ...buy!,
      transaction: {
        ...buy!.transaction,
        message: {
          ...buy!.transaction.message,
          instructions: instructions.map((instruction, index) =>
            index === at ? { ...instruction, programIdIndex: 0, data: "1" } : instruction,
          ),
        },
      },
      meta: {
        ...buy!.meta,
        innerInstructions: buy!.meta.innerInstructions!.map((calls) =>
          calls.index === at ? { index: at, instructions: deeper } : calls,
        ),
      },
    }
    const [direct, below] = [decodeTransaction(buy!)[0]!, decodeTransaction(routed)[0]!]
    assert.deepStrictEqual({ ...below, at: undefined }, { ...direct, at: undefined })
    assert.strictEqual(below.at.innerInstruction, 0)
  })

  const bytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))
  it.prop("never throws, whatever the bytes", [bytes], ([values]) => {
    const data = encodeBase58(Uint8Array.from(values))
    encodedEvent(data)
    const programs = ["dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN", "cpamdpZCGKUy5JxQXB4dcpGPiikHawvSWAd6mEn1sGG"]
    for (const program of programs) {
      const transaction = {
        signatures: ["s"],
        message: { accountKeys: [program], instructions: [{ programIdIndex: 0, accounts: [0, 9], data }] },
      }
      const inner = [{ index: 0, instructions: [{ programIdIndex: 0, accounts: [], data, stackHeight: 2 }] }]
      decodeTransaction({ slot: 1, blockTime: null, meta: { err: null, innerInstructions: inner }, transaction })
    }
  })
})

describe("The module hash", () => {
  it("is that of the release: any change rebuilds every table of every index, so it changes with a module version only", () => {
    assert.strictEqual(MODULE_HASH, "8c9cce88b604ef40a2c54d32e362c260")
  })
})
