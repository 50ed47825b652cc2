import { assert, describe, it } from "@effect/vitest"
import { decodeTransaction } from "@launch-registry/chain/launch/events/DecodeTransaction"
import { encodedEvent } from "@launch-registry/chain/launch/events/EventLayouts"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { toBlocks } from "../src/Block.ts"
import { capturedTransactions } from "../src/CapturedTransactions.ts"
import { Indexer } from "../src/Indexer.ts"
import { makeManifest, type Module } from "../src/Manifest.ts"
import { Sink } from "../src/Sink.ts"
import { Source } from "../src/Source.ts"

const BLOCKS = toBlocks(capturedTransactions)

const indexing = (transactions: ReadonlyArray<RawTransaction>) =>
  Effect.flatMap(Indexer, ({ run }) => run).pipe(
    Effect.provide(Indexer.layer.pipe(Layer.provide(Source.layerOf(transactions)))),
  )

/** Every row of every derived table, in one text. */
const dump = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [row] = yield* sql<{ content: string }>`
    select coalesce((select string_agg(t::text, e'\n' order by t::text) from trades t), '') || e'\n'
      || coalesce((select string_agg(p::text, e'\n' order by p::text) from dbc_pools p), '') || e'\n'
      || coalesce((select string_agg(c::text, e'\n' order by c::text) from dbc_configs c), '') as content`
  return row!.content
})

const fresh = Sink.layer.pipe(Layer.provideMerge(TestDatabase.layer))

describe("Decoding transactions", () => {
  it("finds one swap where the program emitted two events, and none in what failed", () => {
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

  it("finds the swap below another program as well", () => {
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
    const dbc = "dbcij3LWUppWqq96dh6gJWwBifmcGfLSB5D4DuSMaqN"
    const transaction = {
      signatures: ["s"],
      message: { accountKeys: [dbc], instructions: [{ programIdIndex: 0, accounts: [0, 9], data }] },
    }
    const inner = [{ index: 0, instructions: [{ programIdIndex: 0, accounts: [], data, stackHeight: 2 }] }]
    decodeTransaction({ slot: 1, blockTime: null, meta: { err: null, innerInstructions: inner }, transaction })
  })
})

describe("A manifest", () => {
  const module = (name: string, inputs: ReadonlyArray<string>, version = 1): Module => ({
    name,
    kind: "map",
    inputs,
    version,
    run: () => name,
  })

  it("orders modules after their inputs, whatever the order they are declared in", () => {
    const manifest = makeManifest([module("c", ["a", "b"]), module("b", ["a"]), module("a", ["block"])], "c")
    assert.deepStrictEqual(
      manifest.modules.map(({ name }) => name),
      ["a", "b", "c"],
    )
  })

  it("refuses circles and inputs that are not declared", () => {
    assert.throws(() => makeManifest([module("a", ["b"]), module("b", ["a"])], "a"), /depends on itself/)
    assert.throws(() => makeManifest([module("a", ["nothing"])], "a"), /not declared/)
  })

  it("has another hash when anything below its output has another version", () => {
    const hash = (version: number) => makeManifest([module("a", ["block"], version), module("b", ["a"])], "b").hash
    assert.notStrictEqual(hash(1), hash(2))
    assert.strictEqual(hash(1), hash(1))
  })
})

describe("Indexing on PostgreSQL", () => {
  it.live("derives trades, pools and their stages from the captured launches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* indexing(capturedTransactions)
      const trades = yield* sql`select * from trades`
      const swaps = capturedTransactions
        .flatMap((transaction) => decodeTransaction(transaction))
        .filter(({ type }) => type === "Swapped")
      assert.strictEqual(trades.length, swaps.length)
      assert.strictEqual(trades.length, 16)
      const pools =
        yield* sql`select symbol, completed_slot, migrated_slot, migrated_pool from dbc_pools order by created_slot`
      assert.lengthOf(pools, 2)
      for (const pool of pools) {
        assert.isNotNull(pool.completedSlot)
        assert.isNotNull(pool.migratedPool)
      }
    }).pipe(Effect.provide(fresh)),
  )

  it.live("gives the same tables twice, and from a restart at every block", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* indexing(capturedTransactions)
      const whole = yield* dump
      yield* indexing(capturedTransactions)
      assert.strictEqual(yield* dump, whole)
      for (let split = 1; split < BLOCKS.length; split++) {
        yield* sql`truncate trades, dbc_pools, dbc_configs, cursors, substreams_history`
        yield* indexing(BLOCKS.slice(0, split).flatMap(({ transactions }) => transactions))
        yield* indexing(capturedTransactions)
        assert.strictEqual(yield* dump, whole, `split at block ${split}`)
      }
    }).pipe(Effect.provide(fresh)),
  )

  it.live("undone to any block is as if nothing above it had happened, and goes on from there", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const sink = yield* Sink
      yield* indexing(capturedTransactions)
      const whole = yield* dump
      for (let upTo = 1; upTo < BLOCKS.length; upTo++) {
        yield* sql`truncate trades, dbc_pools, dbc_configs, cursors, substreams_history`
        yield* indexing(BLOCKS.slice(0, upTo).flatMap(({ transactions }) => transactions))
        const before = yield* dump
        yield* indexing(capturedTransactions)
        assert.strictEqual(yield* dump, whole)
        yield* sink.undo(BLOCKS[upTo - 1]!.slot)
        assert.strictEqual(yield* dump, before, `undone to block ${upTo}`)
        yield* indexing(capturedTransactions)
        assert.strictEqual(yield* dump, whole)
      }
    }).pipe(Effect.provide(fresh)),
  )

  it.live("stops an indexer whose cursor another one has moved", () =>
    Effect.gen(function* () {
      const sink = yield* Sink
      const [first, second] = BLOCKS
      const results = yield* Effect.all(
        [sink.write(first!, Option.none()), sink.write(first!, Option.none())].map(Effect.result),
        { concurrency: 2 },
      )
      assert.deepStrictEqual(results.map(({ _tag }) => _tag).sort(), ["Failure", "Success"])
      const stale = yield* Effect.flip(sink.write(second!, Option.none()))
      assert.deepInclude(stale, { _tag: "CursorMoved", expected: null, found: first!.cursor })
      yield* sink.write(second!, Option.some(first!.cursor))
    }).pipe(Effect.provide(fresh)),
  )
})
