import { assert, describe, it } from "@effect/vitest"

import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomAddress } from "../../fixtures/GeneratedWorld.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { digestOfAll, dropped, randomSignature, reconciledIndex } from "../finality/ReconciledIndex.ts"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { NodeError } from "../NodeParams.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import {
  blocks,
  LAST,
  later,
  ORIGIN,
  poolRound,
  POOLS,
  poolsCovered,
  poolsOf,
  proveAll,
  stranger,
  swaps,
  transactions,
  wholeUpTo,
} from "./MigratedPools.ts"

const WHOLE = wholeUpTo(LAST)

describe("Migrated pools", () => {
  it("are there, with swaps that only they have", () => {
    assert.lengthOf(POOLS, 2)
    assert.isAbove(swaps.length, 50)
  })

  it.live("are proven by their addresses, and what was never delivered is fetched", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, transactions)
        const random = new SeededRandom(3)
        const lost = new Set(swaps.filter(() => random.chance(0.4)).map(signatureOf))
        assert.isAbove(lost.size, 10)
        yield* receiveTransactions(transactions.filter((one) => !lost.has(signatureOf(one))))
        yield* fold(fence)
        assert.isFalse(isSameDigest(yield* digest, whole))
        const { ofPools, ofProgram } = yield* proveAll(fence)
        assert.deepInclude(ofProgram, { missing: 0, dropped: 0 })
        assert.deepInclude(ofPools, { missing: lost.size, dropped: 0, proven: 2, followed: 2, problem: null })
        assert.strictEqual(cluster.callsOf("getTransaction"), lost.size)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* poolsCovered, WHOLE)
        yield* replay(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* dropped, {})
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("cost the program's proof no request for their swaps, folded or not", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        yield* poolRound(fence)
        const before = cluster.callsOf("getTransaction") + cluster.callsOf("getSignatureStatuses")
        yield* proveAll(fence)
        // Statuses of what has no facts alone: failed swaps on pools were delivered as well.
        assert.strictEqual(cluster.callsOf("getTransaction"), 0)
        assert.isAtMost(cluster.callsOf("getSignatureStatuses") - before, 60)
        assert.deepStrictEqual(yield* poolsCovered, WHOLE)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("have their swaps proven also when these arrived before the migration", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, transactions)
        yield* receiveTransactions(swaps)
        yield* fold(fence)
        // The program's transactions, the migrations among them, are all missing.
        const { ofPools, ofProgram } = yield* proveAll(fence)
        assert.strictEqual(ofProgram.dropped, 0)
        assert.deepInclude(ofPools, { missing: 0, dropped: 0, proven: 2 })
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* poolsCovered, WHOLE)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})

describe("The proof of a pool", () => {
  it.live("leaves the slot of a swap unproven that no endpoint gives, and proves all others", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, transactions)
        const unread = swaps[7]!
        cluster.answered.set(signatureOf(unread), new NodeError(-32015, "Transaction version (2) is not supported"))
        yield* receiveTransactions(transactions.filter((one) => !swaps.includes(one)))
        yield* fold(fence)
        const { ofPools } = yield* proveAll(fence)
        assert.include(ofPools.problem, `${signatureOf(unread)} is refused by the endpoints (Rejected -32015`)
        assert.deepInclude(ofPools, { missing: swaps.length, proven: 2, failing: 1 })
        const holes = Object.entries(yield* poolsCovered).flatMap(([pool, ranges]) =>
          ranges.slice(1).map(([from]) => [pool, from! - 1]),
        )
        assert.deepStrictEqual(holes, [[poolsOf(unread)[0], unread.slot - ORIGIN]])
        // Not asked for every time, it still counts.
        const rare = { activeMillis: 3_600_000, requestsMax: 100, slotMillis: 250 }
        yield* later
        assert.deepInclude(yield* poolRound(fence, rare), { failing: 1 })
        yield* later
        assert.deepInclude(yield* poolRound(fence, rare), { failing: 1, problem: null })
        cluster.recover()
        yield* Effect.flatMap(SqlClient, (sql) => sql`update followed_pools set retry_at = null`)
        yield* proveAll(fence)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("takes one request when nothing has landed since, and none of other pools", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        yield* proveAll(fence)
        cluster.finalize(LAST + 50)
        yield* later
        const before = [...cluster.calls.values()].reduce((sum, count) => sum + count, 0)
        // The finalized slot, and each pool.
        assert.deepInclude(yield* poolRound(fence), { proven: 2, requests: 3, missing: 0 })
        assert.strictEqual([...cluster.calls.values()].reduce((sum, count) => sum + count, 0) - before, 3)
        assert.deepStrictEqual(yield* poolsCovered, wholeUpTo(LAST + 50))
        // Nothing is due.
        const idle = { activeMillis: 3_600_000, requestsMax: 100, slotMillis: 250 }
        yield* later
        yield* poolRound(fence, idle)
        cluster.finalize(LAST + 60)
        assert.deepInclude(yield* poolRound(fence, idle), { proven: 0, requests: 1, due: 0, dueSince: null })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("goes on where it was interrupted, and says nothing of what a node has forgotten", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const sql = yield* SqlClient
        const whole = yield* digestOfAll(fence, transactions)
        yield* receiveTransactions(transactions.filter((one) => !swaps.includes(one)))
        yield* fold(fence)
        const kept = LAST - 10
        cluster.firstAvailableSlot = kept
        const pace = { activeMillis: 3_600_000, requestsMax: 100, slotMillis: 250 }
        const { problem, proven } = yield* poolRound(fence, pace)
        assert.include(problem, "history starts at")
        const part = yield* poolsCovered
        for (const ranges of Object.values(part)) {
          assert.strictEqual(ranges.at(-1)![1], LAST - ORIGIN)
          assert.isAtLeast(ranges[0]![0]!, kept - ORIGIN)
        }
        // What trades now is proven all the same.
        assert.strictEqual(proven, Object.keys(part).length)
        cluster.finalize(LAST + 5)
        yield* later
        assert.deepInclude(yield* poolRound(fence, pace), { proven, problem: null })
        cluster.recover()
        yield* sql`update followed_pools set retry_at = '2000-01-01'`
        yield* later
        const { failing, problem: none } = yield* poolRound(fence)
        assert.deepStrictEqual({ failing, none }, { failing: 0, none: null })
        yield* fold(fence)
        assert.deepStrictEqual(yield* poolsCovered, wholeUpTo(LAST + 5))
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("lists a pool that failed transactions name once, however many turns it takes", () =>
    Effect.gen(function* () {
      const [pool] = POOLS as [string]
      const last = swaps.find((one) => poolsOf(one).includes(pool))!
      const spam = Array.from({ length: 40 }, (_, after) => {
        const slot = LAST + 1 + after
        const transactions = Array.from({ length: 25 }, (_, number): RawTransaction => ({
          ...last,
          slot,
          indexWithinBlock: number,
          meta: { ...last.meta, err: { InstructionError: [0, { Custom: 1 }] }, innerInstructions: [] },
          transaction: { ...last.transaction, signatures: [randomSignature(slot * 100 + number)] },
        }))
        return { ...blocks.at(-1)!, slot, transactions }
      })
      const spammed = [...blocks, ...spam]
      const covered = wholeUpTo(LAST + spam.length)[pool]
      const cluster = yield* standInCluster(spammed)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const sql = yield* SqlClient
        const whole = yield* digestOfAll(fence, transactions)
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        yield* (yield* Reconciler).round(BigInt(ORIGIN), fence)
        yield* fold(fence)
        const before = cluster.callsOf("getSignaturesForAddress")
        // Three pages a turn.
        const pace = { activeMillis: 0, requestsMax: 12, slotMillis: 250 }
        let turns = 0
        do {
          yield* later
          yield* sql`update followed_pools set due_at = '2100-01-01' where pool <> ${pool}`
          const { problem } = yield* poolRound(fence, pace)
          assert.isNull(problem)
          yield* fold(fence)
          turns++
        } while (JSON.stringify((yield* poolsCovered)[pool]) !== JSON.stringify(covered))
        const pages = Math.ceil(spammed.flatMap((block) => block.transactions).length / 9)
        assert.isAbove(turns, 10)
        // Each turn looks for newer ones, and may list the end of a slot again.
        assert.isAtMost(cluster.callsOf("getSignaturesForAddress") - before, pages + 4 * turns)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("keeps to the requests of a round, and gets to every pool in the end", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(withIdle)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const sql = yield* SqlClient
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        yield* proveAll(fence)
        // As many pools as there may be, all of them idle: each has an address of its own, and the history of a real one.
        yield* sql`
          insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, proven_at, due_at)
          select p.pool, 'damm_v2', 1, 1, now(), now(), '2000-01-01'::timestamptz + make_interval(secs => p.number)
          from unnest(${IDLE}::text[]) with ordinality as p(pool, number)`
        yield* sql`
          insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, created_slot, created_at, migrated_slot, migrated_pool)
          select 'of ' || p, p, p, p, p, '', '', '', 0, 1, now(), 1, p from unnest(${IDLE}::text[]) as p`
        yield* sql`
          insert into coverage (pool, from_slot, to_slot, proven_by, proven_at, log_offset)
          select p, 1, ${BigInt(LAST)}, 'rpc', now(), 0 from unnest(${IDLE}::text[]) as p`
        cluster.finalize(LAST + 1)
        const pace = { activeMillis: 3_600_000, requestsMax: 11, slotMillis: 250 }
        for (let due = IDLE.length; due > 0;) {
          const round = yield* poolRound(fence, pace)
          // One for the finalized slot; a listing that has begun is ended.
          assert.isAtMost(round.requests, 11)
          assert.strictEqual(round.problem, null)
          assert.isBelow(round.due, due)
          due = round.due
        }
        const [row] = yield* sql<{ readonly behind: number }>`
          select count(*)::integer as behind from unnest(${IDLE}::text[]) as p
          where not exists (select from coverage c where c.pool = p and c.to_slot = ${BigInt(LAST + 1)})`
        assert.strictEqual(row!.behind, 0)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  const IDLE = Array.from({ length: 37 }, (_, index) => randomAddress(new SeededRandom(index)).text)
  /** All of them were last seen here. */
  const seen = {
    ...stranger,
    slot: ORIGIN,
    indexWithinBlock: 1_600,
    transaction: {
      signatures: [randomSignature(78)],
      message: { ...stranger.transaction.message, accountKeys: IDLE, instructions: [] },
    },
  }
  const withIdle = blocks.map((block) =>
    block.slot === ORIGIN ? { ...block, transactions: [...block.transactions, seen] } : block,
  )
})
