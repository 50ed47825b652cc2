import { assert, it } from "@effect/vitest"
import { DAMM_V2_PROGRAM, DBC_POOL_AUTHORITY } from "@launch-registry/chain/accounts/Programs"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { decodeChanges } from "@launch-registry/domain/stream/CommittedChanges"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type DammCall, type DammEvent, dammTransaction } from "../fixtures/DammTransaction.ts"
import type { Graduation } from "../fixtures/Graduation.ts"
import captured from "../fixtures/graduations.json" with { type: "json" }
import type { LogEntry } from "../src/inbox/IngestLog.ts"
import { Sink } from "../src/sink/Sink.ts"
import { fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const [graduation] = captured as unknown as ReadonlyArray<Graduation>
const { baseMint, migratedPool, quoteMint, steps, trader } = graduation!
const POSITION = "7YmceL3fuGQm1ePr3zKLxrYaEfmpZPHSNpudYQ1VvGjE"
const HOUR_SECONDS = 3_600

const integer = (value: bigint, bytes: number) =>
  Uint8Array.from({ length: bytes }, (_, index) => Number((value >> BigInt(8 * index)) & 255n))

const [BASE_AMOUNT, QUOTE_AMOUNT, LIQUIDITY] = [123n, 4_567n, 2n ** 100n]
const addresses = (...texts: ReadonlyArray<string>) => texts.map((text) => decodeBase58(text)!)

const CHANGED = [BASE_AMOUNT, QUOTE_AMOUNT, BASE_AMOUNT, QUOTE_AMOUNT, 0n, 0n].map((amount) => integer(amount, 8))
/** EvtLiquidityChange (IDL of cp-amm 0.2.5). */
const changed = (pool: string): DammEvent => ({
  event: "c5ab4e7fe0d3570d",
  fields: [
    ...addresses(pool, POSITION, trader),
    ...[...CHANGED, integer(LIQUIDITY, 16), integer(0n, 8), integer(0n, 8), Uint8Array.of(1)],
  ],
})
/** EvtRemoveLiquidity (`event.rs` of cp-amm 0.1.4). */
const removed = (pool: string): DammEvent => ({
  event: "572e5862af60225b",
  fields: [
    ...[...addresses(pool, POSITION, trader), integer(LIQUIDITY, 16)],
    ...[0n, 0n, BASE_AMOUNT, QUOTE_AMOUNT].map((amount) => integer(amount, 8)),
  ],
})

const REMOVE_LIQUIDITY = {
  instruction: "5055d14818ceb16c",
  /** Those of `remove_liquidity`; token accounts and token programs are any. */
  accountsOf: (pool: string) => [
    ...[DAMM_V2_PROGRAM, pool, POSITION, trader, trader, trader, trader, baseMint, quoteMint],
    ...[trader, trader, trader, trader, trader, DAMM_V2_PROGRAM],
  ],
}

const last = steps.at(-1)!
const called = (blockTime: number, place: number, call: DammCall): RawTransaction => ({
  ...dammTransaction(last, call, place),
  blockTime,
})

const withdrawal = (blockTime: number, place: number, pool = migratedPool, events = [changed(pool)]): RawTransaction =>
  called(blockTime, place, {
    instruction: REMOVE_LIQUIDITY.instruction,
    accounts: REMOVE_LIQUIDITY.accountsOf(pool),
    ...events[0]!,
    others: events.slice(1),
  })

const [CLIFF_POINT, FREQUENCY, PERIODS] = [1_700_000_000n, 60n, 3n]
const [CLIFF_LIQUIDITY, LIQUIDITY_PER_PERIOD] = [2n ** 70n, 2n ** 65n]
const OTHER_POSITION = "AbTLGNVjxo6XpHHkUGVpgFYGpQmxTHkJqgCZCLQBEdQF"

/** `lock_inner_position`, by that account or by the trader (IDL of cp-amm 0.2.5). */
const lock = (pool: string, signer = trader): DammCall => ({
  instruction: "481331cc127a175a",
  accounts: [pool, POSITION, POSITION, signer, trader, DAMM_V2_PROGRAM],
  event: "a83f6c53db5202c8",
  fields: [
    ...[...addresses(pool, POSITION, signer, POSITION), integer(CLIFF_POINT, 8), integer(FREQUENCY, 8)],
    ...[integer(CLIFF_LIQUIDITY, 16), integer(LIQUIDITY_PER_PERIOD, 16), integer(PERIODS, 2)],
  ],
})

/** `split_position2`: the older event, and in newer programs another one of the same split behind it. */
const split = (pool: string, isOlder: boolean): DammCall => {
  const positions = [...addresses(pool, trader, quoteMint, POSITION, OTHER_POSITION), integer(1n, 16)]
  const older = {
    event: "a520cbae4864e967",
    fields: [...positions, integer(5n, 16), integer(7n, 16), new Uint8Array(32 + 2 * 48 + 24)],
  }
  const newer = {
    event: "e875beda55a2cf4e",
    fields: [...positions, integer(5n, 16), integer(7n, 16), integer(9n, 16), new Uint8Array(32 + 2 * 80 + 28)],
  }
  const accounts = [pool, POSITION, POSITION, OTHER_POSITION, OTHER_POSITION, trader, quoteMint]
  return {
    ...{ instruction: "dd93e4cf8cd41177", accounts: [...accounts, trader, DAMM_V2_PROGRAM] },
    ...older,
    others: isOlder ? [] : [newer],
  }
}

const emitted = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly changes: string }>`select changes from index_changes order by id`
  return rows.flatMap(({ changes }) => decodeChanges(changes)) as ReadonlyArray<object>
})

it("Changes of liquidity are read once, of old programs too, and locks but those of the migration", () => {
  const factsOf = (one: RawTransaction) => decodeTransaction(one).map(({ at: _at, ...fact }) => fact as object)
  const current = factsOf(withdrawal(1, 0))
  assert.lengthOf(current, 1)
  assert.deepInclude(current[0], { change: "withdrawn", baseAmount: BASE_AMOUNT, liquidity: LIQUIDITY })
  for (const events of [[removed(migratedPool)], [removed(migratedPool), changed(migratedPool)]])
    assert.deepStrictEqual(factsOf(withdrawal(1, 0, migratedPool, events)), current)

  const [locked, ...more] = factsOf(called(1, 0, lock(migratedPool)))
  assert.deepStrictEqual(more, [])
  assert.deepInclude(locked, {
    ...{ type: "LiquidityChanged", pool: migratedPool, position: POSITION, owner: trader, change: "locked" },
    liquidity: CLIFF_LIQUIDITY + 3n * LIQUIDITY_PER_PERIOD,
    lockedUntil: CLIFF_POINT + 3n * FREQUENCY,
  })
  assert.deepStrictEqual(factsOf(called(1, 0, lock(migratedPool, DBC_POOL_AUTHORITY))), [])

  for (const [isOlder, liquidity] of [
    [false, 21n],
    [true, 12n],
  ] as const) {
    const splits = factsOf(called(1, 0, split(migratedPool, isOlder)))
    assert.lengthOf(splits, 1)
    assert.deepInclude(splits[0], {
      ...{ change: "split", owner: trader, position: POSITION, toPosition: OTHER_POSITION, toOwner: quoteMint },
      ...{ pool: migratedPool, liquidity, baseAmount: null },
    })
  }
})

it.live(
  "A lock is emitted with the tokens of the pool that the curve migrated to, and one of another pool is not",
  () =>
    Effect.gen(function* () {
      const fence = yield* lead
      yield* receiveTransactions(steps)
      yield* fold(fence)
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      yield* receiveTransactions([called(now, 0, lock(migratedPool)), called(now, 1, lock(POSITION))])
      yield* fold(fence)
      const moved = (yield* emitted).filter((change) => "type" in change && change.type === "liquidity")
      assert.lengthOf(moved, 1)
      assert.deepInclude(moved[0], {
        ...{
          mintAddress: baseMint,
          quoteMint,
          pool: migratedPool,
          change: "locked",
          baseAmount: null,
          quoteAmount: null,
        },
        ...{ lockedUntil: String(CLIFF_POINT + 3n * FREQUENCY), toPosition: null },
      })
    }).pipe(Effect.provide(testIndex)),
)

it.live(
  "Liquidity that is withdrawn is emitted, where it is of the last minutes and of a pool of DBC, and so is the rollback",
  () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      const now = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const recent = withdrawal(now, 0)
      yield* receiveTransactions([recent, withdrawal(now - HOUR_SECONDS, 1), withdrawal(now, 2, POSITION)])
      yield* fold(fence)
      const [signature] = recent.transaction.signatures
      assert.deepStrictEqual(yield* emitted, [
        {
          ...{ type: "liquidity", slot: String(recent.slot), signature, time: new Date(now * 1000).toISOString() },
          ...{ mintAddress: baseMint, quoteMint, pool: migratedPool, change: "withdrawn", owner: trader },
          ...{ position: POSITION, baseAmount: "123", quoteAmount: "4567", liquidity: String(LIQUIDITY) },
          ...{ lockedUntil: null, toPosition: null, toOwner: null },
        },
      ])
      assert.lengthOf(yield* sql`select from dbc_events where type = 'LiquidityChanged'`, 2)

      const entries = yield* sql<LogEntry>`
      select log_offset, position, slot, signature from inbox_transactions where signature = ${signature!}`
      yield* (yield* Sink).drop(entries, "not on the chain", fence)
      assert.deepInclude((yield* emitted).at(-1), { type: "revert", signature })
    }).pipe(Effect.provide(testIndex)),
)
