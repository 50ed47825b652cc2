import { assert, describe, it } from "@effect/vitest"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import { missingPart } from "@launch-registry/chain/events/MissingPart"
import type { DbcEvent } from "@launch-registry/chain/transactions/DbcEvent"
import type { RawInstruction } from "@launch-registry/chain/transactions/RawTransaction"
import { TOKEN_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { decodeBase58, encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { dammV1Services } from "../../chain/test/launch/DammV1Launch.ts"
import { hasDammV1Programs } from "../../chain/test/launch/RealPrograms.ts"
import { runDammV1Graduation } from "../fixtures/DammV1Graduation.ts"
import captured from "../fixtures/graduation-damm-v1.json" with { type: "json" }
import type { Graduation, GraduationStep } from "../fixtures/Graduation.ts"
import { changesOf } from "../src/modules/DatabaseChanges.ts"
import { followedPools } from "../src/pools/FollowedPools.ts"
import { poolEntries } from "../src/pools/PoolEntries.ts"
import { replay } from "../src/replay/Rebuild.ts"
import type { Listing } from "../src/sources/ChainHistory.ts"
import type { PoolToFollow } from "../src/sources/Follower.ts"
import { afterMigration, assertIndexed, filledBy, replaced, swapsOf } from "./IndexedGraduation.ts"
import { fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const GRADUATION = captured as unknown as Graduation
/** One in so many is how far a price may be off, for the smallest trades. */
const PRECISION = 10_000n

const isTooSmall = ({ step }: GraduationStep) => step === "damm-dust"
const stepOf = (wanted: string) => GRADUATION.steps.find(({ step }) => step === wanted)!

/** As programs call the token program that put what they want of it into batches: each run of calls is one. */
const batched = (step: GraduationStep): GraduationStep => {
  const keys = [...step.transaction.message.accountKeys, ...(step.meta.loadedAddresses?.writable ?? [])]
  const tokens = [...keys, ...(step.meta.loadedAddresses?.readonly ?? [])].indexOf(TOKEN_PROGRAM)
  const innerInstructions = step.meta.innerInstructions?.map(({ index, instructions }) => {
    const runs: Array<Array<RawInstruction>> = []
    for (const call of instructions) {
      const last = runs.at(-1)
      const isOfRun = call.programIdIndex === tokens && last?.[0]!.programIdIndex === tokens
      if (isOfRun && call.stackHeight === last[0]!.stackHeight) last.push(call)
      else runs.push([call])
    }
    const merged = runs.map((run): RawInstruction => {
      if (run[0]!.programIdIndex !== tokens) return run[0]!
      const parts = run.flatMap(({ accounts, data }) => {
        const bytes = decodeBase58(data)!
        return [accounts.length, bytes.length, ...bytes]
      })
      const data = encodeBase58(Uint8Array.of(255, ...parts))
      return { ...run[0]!, accounts: run.flatMap(({ accounts }) => accounts), data }
    })
    return { index, instructions: merged }
  })
  return { ...step, meta: { ...step.meta, innerInstructions: innerInstructions ?? null } }
}

/** Each swap is what it did to the accounts of the wallet, at the price that it left in those of the pool. */
const assertFills = ({ baseMint, migratedPool, pool, quoteMint, steps, tokenA, trader }: Graduation) => {
  assert.strictEqual(tokenA, baseMint)
  for (const step of steps) {
    const swaps = swapsOf(step)
    if (step.meta.err !== null || isTooSmall(step)) assert.lengthOf(swaps, 0, step.step)
    else if (step.filled !== null) {
      assert.lengthOf(swaps, step.step === "damm-two-swaps" ? 2 : 1, step.step)
      const { sqrtPrice, ...moved } = filledBy(swaps)
      const { sqrtPrice: left, ...wanted } = step.filled
      assert.deepStrictEqual(moved, wanted, step.step)
      const off = BigInt(sqrtPrice) - BigInt(left)
      assert.isTrue((off < 0n ? -off : off) * PRECISION < BigInt(left), `${step.step}: ${sqrtPrice}, not ${left}`)
      for (const swap of swaps)
        assert.deepInclude(swap, { venue: "damm_v1", pool: migratedPool, baseMint, quoteMint, trader })
    } else for (const swap of swaps) assert.deepInclude(swap, { venue: "dbc", pool, baseMint, quoteMint, trader })
  }
}

describe("Swaps on the DAMM v1 pool of a captured launch", () => {
  it("are what they did to the accounts", () => assertFills(GRADUATION))

  it("say the fee of the pool: 1 % of what is sent", () => {
    const swaps = afterMigration(GRADUATION).flatMap(swapsOf)
    assert.isNotEmpty(swaps)
    for (const { amountIn, fee } of swaps) assert.strictEqual(fee, amountIn / 100n)
  })

  it("say the reserve, which moves by what was traded", () => {
    const [first, second] = swapsOf(stepOf("damm-two-swaps"))
    // Of the fee a fifth leaves the pool, for the protocol; what a sale pays out, all of it.
    const before = first!.quoteReserve! - (first!.amountIn - first!.fee / 5n)
    const [little] = swapsOf(stepOf("damm-buy-little"))
    const near = (left: bigint, right: bigint) => (left > right ? left - right : right - left) * PRECISION < right
    assert.isTrue(near(little!.quoteReserve!, before))
    assert.isTrue(near(second!.quoteReserve!, first!.quoteReserve! - second!.amountOut))
  })

  it.live("are trades, in any order", () => assertIndexed(GRADUATION, "damm_v1").pipe(Effect.provide(testIndex)))

  it.live("are followed by the address of their pool, also after a version that did not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      const { migratedPool, steps } = GRADUATION
      yield* receiveTransactions(steps)
      yield* fold(fence)
      yield* sql`
        insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
        values (${migratedPool}, null, 1, 1, now(), now())`
      const pools = followedPools(sql)
      yield* pools.follow(fence)
      assert.deepStrictEqual(yield* pools.mostActive(9), [])
      // Tables that were derived by other modules are rebuilt.
      yield* replay(fence)
      yield* pools.follow(fence)
      yield* pools.amend(fence)
      const rows = yield* sql`select pool, venue, from_slot from followed_pools`
      const fromSlot = BigInt(stepOf("migrate").slot)
      assert.deepStrictEqual(rows as unknown, [{ pool: migratedPool, venue: "damm_v1", fromSlot }])
      yield* sql`
        insert into coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
        values (${migratedPool}, ${fromSlot}, ${fromSlot + 1_000_000n}, 'rpc', now(), 0)`
      const [{ newest }] = (yield* pools.toFollow(9)) as [PoolToFollow]
      assert.strictEqual(newest!.signature, stepOf("damm-sell-much").transaction.signatures[0])
      const entries = yield* poolEntries(sql).ofListing(migratedPool, {
        ...{ fromSlot, toSlot: fromSlot + 1_000n, listed: [] },
      } as unknown as Listing)
      assert.lengthOf(entries, afterMigration(GRADUATION).filter((step) => swapsOf(step).length > 0).length)
    }).pipe(Effect.provide(testIndex)),
  )

  it("count on no pool but the one that the migration made", () => {
    const { baseMint, migratedPool, pool, quoteMint } = GRADUATION
    const another = encodeBase58(new Uint8Array(32).fill(9))
    for (const swap of afterMigration(GRADUATION).filter((step) => swapsOf(step).length > 0)) {
      for (const other of [pool, baseMint, another, "x", ""])
        assert.deepStrictEqual(decodeTransaction(replaced(swap, migratedPool, other)), [], other)
      assert.deepStrictEqual(decodeTransaction(replaced(swap, baseMint, another)), [])
      assert.deepStrictEqual(decodeTransaction(replaced(swap, quoteMint, another)), [])
    }
  })

  it("are found below other programs, with and without heights", () => {
    const swap = stepOf("damm-buy")
    const { instructions } = swap.transaction.message
    const [outer, calls] = [instructions[0]!, swap.meta.innerInstructions![0]!.instructions]
    const below = calls.map((call) => ({ ...call, stackHeight: call.stackHeight! + 1 }))
    for (const hasHeights of [true, false]) {
      const inner = [{ ...outer, stackHeight: 2 }, ...below].map((call) =>
        hasHeights ? call : { ...call, stackHeight: null },
      )
      const routed = {
        ...swap,
        meta: { ...swap.meta, innerInstructions: [{ index: 0, instructions: inner }] },
        transaction: {
          ...swap.transaction,
          message: { ...swap.transaction.message, instructions: [{ ...outer, programIdIndex: 0, data: "1" }] },
        },
      }
      const [found, direct] = [swapsOf(routed)[0]!, swapsOf(swap)[0]!]
      assert.deepStrictEqual({ ...found, at: direct.at }, direct)
      assert.deepInclude(found.at, { instruction: 0, innerInstruction: 0 })
    }
  })

  it("are the same where programs call the token program in batches", () => {
    for (const step of GRADUATION.steps) {
      const inOne = batched(step)
      const known = ({ at: _at, ...event }: DbcEvent) => event
      assert.deepStrictEqual(decodeTransaction(inOne).map(known), decodeTransaction(step).map(known), step.step)
      assert.deepStrictEqual(missingPart(inOne), missingPart(step), step.step)
    }
    const runs = batched(stepOf("damm-buy")).meta.innerInstructions![0]!.instructions
    assert.isBelow(runs.length, stepOf("damm-buy").meta.innerInstructions![0]!.instructions.length)
  })

  it("are none without what they need, and never fail", () => {
    const swap = stepOf("damm-buy")
    const { postTokenBalances } = swap.meta
    const lacking: ReadonlyArray<unknown> = [
      ...[undefined, null, [], {}, "x", [null], [1]],
      postTokenBalances!.map((balance) => ({ ...balance, mint: 1 })),
      postTokenBalances!.map((balance) => ({ ...balance, mint: "x".repeat(100_000) })),
      postTokenBalances!.map(({ accountIndex, mint }) => ({ accountIndex, mint })),
      ...["-1", "1e9", "", 7, "9".repeat(100_000)].map((amount) =>
        postTokenBalances!.map((balance) => ({ ...balance, uiTokenAmount: { amount } })),
      ),
    ]
    for (const balances of lacking) {
      const changed = { ...swap, meta: { ...swap.meta, postTokenBalances: balances } }
      assert.deepStrictEqual(decodeTransaction(changed as typeof swap), [])
    }
    const calls = swap.meta.innerInstructions![0]!.instructions
    for (let count = 0; count < calls.length; count++) {
      const innerInstructions = [{ index: 0, instructions: calls.slice(0, count) }]
      assert.deepStrictEqual(decodeTransaction({ ...swap, meta: { ...swap.meta, innerInstructions } }), [])
      const without = [{ index: 0, instructions: calls.filter((_, index) => index !== count) }]
      const { undecodable } = changesOf([{ ...swap, meta: { ...swap.meta, innerInstructions: without } }])
      assert.deepStrictEqual(undecodable, [])
    }
  })

  it.live("of foreign pools of the same mint reach no trade and no candle", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { baseMint, migratedPool, steps } = GRADUATION
      const foreign = encodeBase58(new Uint8Array(32).fill(9))
      const forged = replaced(afterMigration(GRADUATION), migratedPool, foreign)
      yield* receiveTransactions([...steps.filter(({ filled }) => filled === null), ...forged])
      yield* fold(yield* lead)
      const [found] = yield* sql`
        select count(*)::integer as trades, count(*) filter (where venue <> 'dbc')::integer as elsewhere,
          (select trades from candles where seconds = 0 and base_mint = ${baseMint})::integer as counted,
          (select count(*)::integer from dead_letters) as letters from trades`
      assert.deepStrictEqual(found as unknown, { trades: 2, elsewhere: 0, counted: 2, letters: 0 })
    }).pipe(Effect.provide(testIndex)),
  )
})

describe.skipIf(!hasDammV1Programs)("A launch on the real programs (needs the program files)", () => {
  it.live("migrates to DAMM v1 and trades on", () =>
    Effect.gen(function* () {
      const graduation = yield* runDammV1Graduation(4).pipe(Effect.provide(dammV1Services(4)))
      assertFills(graduation)
      yield* assertIndexed(graduation, "damm_v1")
    }).pipe(Effect.provide(testIndex)),
  )
})
