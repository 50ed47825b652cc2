import { SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { SOL, sampleAddress, sampleSignature, sampleWallet } from "../../../service/test/Samples.ts"

let [slot, place] = [1_000, 0]

/** A launch as the indexer writes it, with tokens of 6 decimals. */
export const indexPool = Effect.fn(function* (
  baseMint = sampleAddress(),
  fields: Readonly<Record<string, unknown>> = {},
) {
  const sql = yield* SqlClient
  const pool = sampleAddress()
  yield* sql`insert into dbc_pools ${sql.insert({
    ...{
      pool,
      baseMint,
      quoteMint: SOL,
      config: sampleAddress(),
      creator: sampleWallet(),
      name: "Traded",
      symbol: "TRD",
    },
    ...{ uri: "", poolType: 0, decimals: 6, createdSlot: 1n, createdAt: new Date(0), ...fields },
  })}`
  return { pool, baseMint }
})

/** A BUY of 1000 tokens for 1.5 SOL as the indexer writes it; returns its row. */
export const indexTrade = Effect.fn(function* (fields: Readonly<Record<string, unknown>> = {}) {
  const sql = yield* SqlClient
  const trade = {
    ...{ signature: sampleSignature(), pool: sampleAddress(), baseMint: sampleAddress(), quoteMint: SOL },
    ...{ trader: sampleWallet(), side: "BUY", baseAmount: 1_000_000_000n, quoteAmount: 1_500_000_000n, fee: 0n },
    ...{ nextSqrtPrice: 1n, blockTime: new Date(), slot: ++slot, ...fields },
  }
  const { slot: at, ...row } = trade
  const ordinal = (BigInt(at) << BigInt(SLOT_SHIFT)) + BigInt(++place)
  yield* sql`insert into trades ${sql.insert({ ...row, ordinal })}`
  return trade
})

/** The record that the wallet of a trade makes of it. */
export const draftOfTrade = ({
  baseMint: baseToken,
  pool: poolAddress,
  quoteMint: quoteToken,
  side: action,
  signature: txHash,
  trader: userAddress,
}: Pick<
  Effect.Success<ReturnType<typeof indexTrade>>,
  "baseMint" | "pool" | "quoteMint" | "side" | "signature" | "trader"
>) => ({ baseToken, poolAddress, quoteToken, action, txHash, userAddress })
