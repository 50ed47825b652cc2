import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress } from "../../../service/test/Samples.ts"
import { takeTurn } from "../../src/system/Turn.ts"
import { countRecords } from "../../src/tokens/RecordedWindows.ts"

const NOW = Date.parse("2026-11-20T00:00:00Z")
const MINUTE = 60_000
const [MINT, OTHER, ANN, BOB] = [sampleAddress(), sampleAddress(), sampleAddress(), sampleAddress()]

/** A record of Ann that counts, so many minutes ago, with these differences. */
const record = (
  minutesAgo: number,
  fields: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> => ({
  ...{ id: crypto.randomUUID(), userAddress: ANN, txHash: crypto.randomUUID(), action: "BUY", baseToken: MINT },
  ...{ quoteToken: SOL, poolAddress: "pool", amountIn: "9", amountOut: "9", pricePerToken: "1", slippageBps: 1 },
  ...{
    fee: "0",
    feeToken: SOL,
    chain: "solana",
    status: "success",
    quoteVolume: "1.5",
    isReported: false,
    isSole: true,
  },
  ...{ createdAt: new Date(NOW - minutesAgo * MINUTE), updatedAt: new Date(NOW), deletedAt: null, ...fields },
})

const windows = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* countRecords(new Date(NOW))
  const rows = yield* sql<Readonly<Record<"span" | "baseMint" | "counts", string>>>`
    select span, base_mint, concat_ws(' ', traders, trades, trim_scale(quote_volume)) as counts from recorded_windows`
  return rows.map(({ baseMint, counts, span }) => `${baseMint === MINT ? "" : "other "}${span}: ${counts}`).sort()
})

layer(TestDatabase.layer)("Windows of records", (it) => {
  it.effect("have the users, records and volume that the chain has confirmed, of each span", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const rows = [
        ...[
          record(1),
          record(4, { action: "SELL", quoteVolume: null }),
          record(30, { userAddress: BOB, isSole: null }),
        ],
        ...[record(5 * 60), record(23 * 60, { userAddress: BOB }), record(6 * 24 * 60, { quoteVolume: "1e-18" })],
        ...[record(8 * 24 * 60), record(2, { baseToken: OTHER })],
        ...[
          { action: "BRIDGE" },
          { action: "DEPLOY" },
          { chain: "near" },
          { status: "pending" },
          { status: "failed" },
        ].map((fields) => record(3, fields)),
        ...[{ isReported: true }, { isSole: false }, { deletedAt: new Date(NOW) }].map((fields) => record(3, fields)),
      ]
      for (const row of rows) yield* sql`insert into transactions ${sql.insert(row)}`
      const other = ["5m", "1h", "6h", "24h", "7d"].map((span) => `other ${span}: 1 1 1.5`)
      assert.sameMembers(yield* windows, [
        ...["5m: 1 2 1.5", "1h: 2 3 3", "6h: 2 4 4.5", "24h: 2 5 6", "7d: 2 6 6.000000000000000001"],
        ...other,
      ])
      yield* sql`delete from transactions where base_token = ${MINT} and created_at > ${new Date(NOW - 25 * 60 * MINUTE)}`
      assert.sameMembers(yield* windows, ["7d: 1 1 0.000000000000000001", ...other])
    }),
  )

  it.effect("are counted by one process at a time, and not again until they are due", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const turns = yield* Effect.all(
        Array.from({ length: 6 }, () => takeTurn(sql, "records", 3_600)),
        { concurrency: "unbounded" },
      )
      assert.deepStrictEqual(
        turns.filter((taken) => taken),
        [true],
      )
      assert.isFalse(yield* takeTurn(sql, "records", 3_600))
      yield* sql`update server_progress set done_at = now() + interval '1 day' where name = 'records'`
      assert.isTrue(yield* takeTurn(sql, "records", 3_600))
    }),
  )
})
