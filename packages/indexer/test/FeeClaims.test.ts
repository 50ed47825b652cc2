import { assert, describe, it } from "@effect/vitest"
import { DAMM_V2_PROGRAM, NATIVE_MINT } from "@launch-registry/chain/accounts/Programs"
import { decodeTransaction } from "@launch-registry/chain/events/DecodeTransaction"
import type { DbcEvent } from "@launch-registry/chain/transactions/DbcEvent"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { decodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import events from "../fixtures/captured-events.json" with { type: "json" }
import captured from "../fixtures/graduations.json" with { type: "json" }
import { dammTransaction } from "../fixtures/DammTransaction.ts"
import type { Graduation } from "../fixtures/Graduation.ts"
import { claimsOfEvents } from "../src/modules/FactRows.ts"
import { replay } from "../src/replay/Rebuild.ts"
import { Sink } from "../src/sink/Sink.ts"
import { capturedTransactions } from "../src/sources/CapturedTransactions.ts"
import { digest, fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const [graduation] = captured as unknown as ReadonlyArray<Graduation>
const { baseMint, migratedPool, quoteMint, steps, trader } = graduation!
const POSITION = "7YmceL3fuGQm1ePr3zKLxrYaEfmpZPHSNpudYQ1VvGjE"
const [CLAIM_POSITION_FEE, EVENT] = ["b4269a118521a2d3", "c6b6b734610c3138"]
const [BASE_AMOUNT, QUOTE_AMOUNT] = [123n, 4_567n]

/** A claim of the fees of a position in the migrated pool, as cp-amm's `event.rs` and `ix_claim_position_fee.rs` lay it out. */
const positionClaim = (pool: string, base = baseMint): RawTransaction => {
  const amounts = Buffer.alloc(16)
  amounts.writeBigUInt64LE(BASE_AMOUNT)
  amounts.writeBigUInt64LE(QUOTE_AMOUNT, 8)
  return dammTransaction(steps.at(-1)!, {
    instruction: CLAIM_POSITION_FEE,
    accounts: [DAMM_V2_PROGRAM, pool, POSITION, trader, trader, trader, trader, base, quoteMint, trader, trader],
    event: EVENT,
    fields: [...[pool, POSITION, trader].map((address) => decodeBase58(address)!), amounts],
  })
}

/** Claims that the captured events say, by the IDL. */
const CLAIMS = events.flatMap(({ events }) =>
  events.flatMap(({ data, name }) => {
    const of = data as Readonly<Record<string, string>>
    const base = of.token_base_amount ?? of.leftover_amount ?? "0"
    const quote = of.token_quote_amount ?? of.surplus_amount ?? of.fee ?? "0"
    const isClaim =
      /^Evt(Claim(Creator)?TradingFee|(Partner|Creator)WithdrawSurplus|Withdraw(MigrationFee|Leftover))$/.test(name)
    return isClaim ? [`${of.pool} ${base} ${quote}`] : []
  }),
)

describe("Claims", () => {
  it("of position fees are read from pools that the DBC program created, and from no others", () => {
    const [event] = decodeTransaction(positionClaim(migratedPool))
    assert.deepInclude(event, {
      ...{ type: "PositionFeeClaimed", pool: migratedPool, position: POSITION, claimer: trader, baseMint, quoteMint },
      ...{ baseAmount: BASE_AMOUNT, quoteAmount: QUOTE_AMOUNT },
    })
    assert.deepStrictEqual(decodeTransaction(positionClaim(POSITION)), [])
    assert.deepStrictEqual(decodeTransaction(positionClaim(migratedPool, POSITION)), [])
  })

  it("of the fee for creating a pool are the partner's, in SOL; the protocol's are none", () => {
    const [{ at }] = decodeTransaction(positionClaim(migratedPool)) as [DbcEvent]
    const fee = { type: "PoolCreationFeeClaimed", pool: migratedPool, receiver: POSITION, amount: 9n, at } as const
    const rows = claimsOfEvents([
      { ...fee, by: "partner", partner: trader },
      { ...fee, by: "protocol", partner: null },
    ])
    assert.lengthOf(rows, 1)
    assert.deepInclude(rows[0], {
      ...{ kind: "pool_creation_fee", party: "partner", wallet: trader, quoteMint: NATIVE_MINT, quoteAmount: 9n },
    })
  })

  it.live("are rows that follow reverts, repeats and a replay", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      const all = [...capturedTransactions, positionClaim(migratedPool)]
      yield* receiveTransactions(all)
      yield* fold(fence)
      const clean = yield* digest
      const rows = yield* sql<{ claim: string; wallet: string; venue: string; kind: string; position: string | null }>`
        select pool || ' ' || base_amount || ' ' || quote_amount as claim, wallet, venue, kind, position
        from fee_claims order by ordinal`
      const ofPosition = `${migratedPool} ${BASE_AMOUNT} ${QUOTE_AMOUNT}`
      assert.sameMembers(
        rows.map(({ claim }) => claim),
        [...CLAIMS, ofPosition],
      )
      assert.isAtLeast(CLAIMS.length, 4)
      assert.deepInclude(
        rows.find(({ claim }) => claim === ofPosition),
        { wallet: trader, venue: "damm_v2", kind: "position_fee", position: POSITION },
      )

      const entries = yield* sql<{ logOffset: bigint; position: number; slot: bigint; signature: string }>`
        select log_offset, position, slot, signature from inbox_transactions
        where signature in (select signature from fee_claims order by ordinal limit 3)`
      yield* (yield* Sink).drop(entries, "of a dropped fork", fence)
      assert.strictEqual((yield* sql`select from fee_claims`).length, rows.length - 3)
      yield* receiveTransactions(all)
      yield* fold(fence)
      assert.deepStrictEqual(yield* digest, clean)
      yield* replay(fence)
      assert.deepStrictEqual(yield* digest, clean)
    }).pipe(Effect.provide(testIndex)),
  )
})
