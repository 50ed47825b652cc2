import { assert, it } from "@effect/vitest"
import { DAMM_V2_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { decodeChanges } from "@launch-registry/domain/stream/CommittedChanges"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { dammTransaction } from "../fixtures/DammTransaction.ts"
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

/** `remove_liquidity` and its EvtLiquidityChange (IDL of cp-amm 0.2.5). */
const withdrawal = (blockTime: number, place: number, pool = migratedPool): RawTransaction => ({
  ...dammTransaction(
    steps.at(-1)!,
    {
      instruction: "5055d14818ceb16c",
      accounts: [
        ...[DAMM_V2_PROGRAM, pool, POSITION, trader, trader, trader, trader, baseMint, quoteMint],
        ...[trader, trader, trader, trader, trader, DAMM_V2_PROGRAM],
      ],
      event: "c5ab4e7fe0d3570d",
      fields: [
        ...addresses(pool, POSITION, trader),
        ...[BASE_AMOUNT, QUOTE_AMOUNT, BASE_AMOUNT, QUOTE_AMOUNT, 0n, 0n].map((amount) => integer(amount, 8)),
        ...[integer(LIQUIDITY, 16), integer(0n, 8), integer(0n, 8), Uint8Array.of(1)],
      ],
    },
    place,
  ),
  blockTime,
})

const emitted = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly changes: string }>`select changes from index_changes order by id`
  return rows.flatMap(({ changes }) => decodeChanges(changes)) as ReadonlyArray<object>
})

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
        },
      ])
      assert.lengthOf(yield* sql`select from dbc_events where type = 'LiquidityChanged'`, 2)

      const entries = yield* sql<LogEntry>`
      select log_offset, position, slot, signature from inbox_transactions where signature = ${signature!}`
      yield* (yield* Sink).drop(entries, "not on the chain", fence)
      assert.deepInclude((yield* emitted).at(-1), { type: "revert", signature })
    }).pipe(Effect.provide(testIndex)),
)
