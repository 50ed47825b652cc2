import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { followIndex } from "../../src/tokens/FollowIndex.ts"
import { SOL, sampleAddress, sampleSignature, tokenDraft } from "../../../service/test/Samples.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { TestServer } from "../../../service/test/TestServer.ts"

/** Applies everything that the indexer has committed. */
export const follow = Effect.gen(function* () {
  const step = yield* followIndex
  while (yield* step) continue
})

/** A configuration built here for a launchpad. */
export const launchConfig = Effect.fn(function* (launchpad = "launchpad_b") {
  const sql = yield* SqlClient
  const configAddress = sampleAddress()
  const facts = { signer: sampleAddress(), launchpad, quoteMint: SOL, tokenType: 0, tokenDecimals: 6 }
  yield* sql`insert into launch_configs ${sql.insert({ configAddress, ...facts, createdAt: new Date() })}`
  return configAddress
})

export interface Launch {
  readonly baseMint: string
  readonly pool: string
  readonly creator: string
  readonly signature: string
}

/** The launch unless fields are given. */
export const LAUNCHED = {
  name: "From Chain",
  symbol: "CHN",
  uri: "https://example.com/m.json",
  decimals: 6,
  supply: "1000000000000001",
}

let launches = 0

/** Writes a launch as the indexer does, with its event. */
export const launch = Effect.fn(function* (fields: Readonly<Record<string, unknown>> & { readonly config: string }) {
  const sql = yield* SqlClient
  const row = {
    ...{ pool: sampleAddress(), baseMint: sampleAddress(), quoteMint: SOL, creator: sampleAddress() },
    ...{ ...LAUNCHED, poolType: 0 },
    ...{ createdSlot: 5n, createdAt: new Date("2026-11-01T00:00:00Z") },
    ...fields,
  }
  const { baseMint, creator, pool } = row
  const signature = sampleSignature()
  yield* sql`insert into dbc_pools ${sql.insert(row)}`
  yield* sql`
    insert into dbc_events (ordinal, signature, type, pool, config, facts, block_time)
    values (${firstOrdinalOf(5n) + BigInt(++launches)}, ${signature}, 'PoolCreated', ${pool}, ${row.config},
      ${JSON.stringify({ creator, baseMint })}::text::jsonb, ${row.createdAt})`
  yield* commitChanges(sampleChange("token", baseMint, { pool, signature }))
  return { baseMint, pool, creator, signature } as Launch
})

/** Reverts the launch. */
export const rollBack = Effect.fn(function* ({ baseMint, pool, signature }: Launch) {
  const sql = yield* SqlClient
  yield* sql`delete from dbc_pools where pool = ${pool}`
  yield* sql`delete from dbc_events where pool = ${pool}`
  yield* commitChanges(sampleChange("revert", "", { signature, mintAddresses: [baseMint] }))
  yield* follow
})

/** The body that registers a launch with the chain's values, and the given differences. */
export const draftOf = ({ baseMint, creator }: Launch, fields: Readonly<Record<string, unknown>> = {}) =>
  tokenDraft({
    ...{ mintAddress: baseMint, owner: creator, name: LAUNCHED.name, symbol: LAUNCHED.symbol },
    ...{ totalSupply: "1000000000.000001", decimals: 6, launchpad: "launchpad_b", ...fields },
  })

export const byMint = (mint: string) => Effect.flatMap(TestServer, ({ request }) => request(`/api/tokens/mint/${mint}`))
