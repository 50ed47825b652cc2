import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { digestOfAll, dropped, forged, randomSignature, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import {
  blocks,
  LAST,
  landed,
  MIGRATED,
  poolRound,
  poolsCovered,
  poolsOf,
  proveAll,
  stranger,
  swaps,
  transactions,
  wholeUpTo,
  withStranger,
} from "./MigratedPools.ts"

const WHOLE = wholeUpTo(LAST)
const swap = swaps[Math.floor(swaps.length / 2)]!

describe("A forged swap on a migrated pool", () => {
  const pool = poolsOf(swap)[0]!
  const migrated = MIGRATED.get(pool)!
  const ofProgram = landed.find((one) => one.slot > migrated && poolsOf(one).length === 0)!
  const failure = transactions.find(({ meta, slot }) => meta.err !== null && slot > migrated)!
  const other = swaps.find((one) => one.slot > migrated && !poolsOf(one).includes(pool))

  const forgeries = [
    forged(swap, { signature: randomSignature(1) }),
    // Another transaction's signature, of the same pool in another slot.
    forged(swap, { slot: swap.slot + 1 }),
    forged(swap, { signature: signatureOf(stranger), slot: stranger.slot }),
    forged(swap, { signature: signatureOf(failure), slot: failure.slot }),
    // Before there was a pool.
    forged(swap, { signature: randomSignature(2), slot: migrated - 1 }),
    forged(swap, { signature: signatureOf(ofProgram), slot: ofProgram.slot }),
    ...(other === undefined ? [] : [forged(swap, { signature: signatureOf(other), slot: other.slot })]),
  ]
  const taken = new Set(forgeries.map(({ slot, transaction }) => `${slot} ${transaction.signatures[0]}`))
  const rest = transactions.filter((one) => !taken.has(`${one.slot} ${signatureOf(one)}`))

  it.live("is reverted, and what the chain has instead is there", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(withStranger)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, transactions)
        yield* receiveTransactions([...forgeries.slice(0, 3), ...rest])
        yield* fold(fence)
        yield* receiveTransactions(forgeries.slice(3))
        yield* proveAll(fence)
        // What a pool's proof put in place of a forgery may be of the program, and the other way round.
        yield* proveAll(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* poolsCovered, WHOLE)
        const found = yield* dropped
        assert.strictEqual(
          Object.values(found).reduce((sum, count) => sum + count, 0),
          forgeries.length,
        )
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is found when it arrives in slots that are proven", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(withStranger)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, transactions)
        // Failed transactions are not delivered, so that the forger is first.
        yield* receiveTransactions(landed)
        yield* fold(fence)
        yield* proveAll(fence)
        const late = forgeries.filter(({ slot, transaction: { signatures } }) =>
          landed.every((one) => one.slot !== slot || signatureOf(one) !== signatures[0]),
        )
        assert.isAbove(late.length, 3)
        yield* receiveTransactions(late)
        yield* fold(fence)
        assert.isFalse(isSameDigest(yield* digest, whole))
        yield* proveAll(fence)
        assert.deepStrictEqual(yield* digest, whole)
        const { ofPools, ofProgram } = yield* proveAll(fence)
        assert.deepInclude(ofProgram, { missing: 0, dropped: 0 })
        assert.deepInclude(ofPools, { missing: 0, dropped: 0 })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("of a pool whose migration is forged as well is reverted with it", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(
        blocks.map((block) => ({
          ...block,
          transactions: block.transactions.filter((one) => !poolsOf(one).includes(pool) && !migrates(one)),
        })),
      )
      const real = transactions.filter((one) => !poolsOf(one).includes(pool) && !migrates(one))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const sql = yield* SqlClient
        const whole = yield* digestOfAll(fence, real)
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        yield* poolRound(fence)
        yield* proveAll(fence)
        yield* proveAll(fence)
        assert.deepStrictEqual(yield* digest, whole)
        const left = yield* sql<{ readonly pool: string }>`
          select pool from followed_pools where pool = ${pool} union select pool from coverage where pool = ${pool}`
        assert.deepStrictEqual(left, [])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  const migrates = (one: RawTransaction) =>
    one.slot === migrated && one.transaction.message.accountKeys.includes(pool) && poolsOf(one).length === 0
})
