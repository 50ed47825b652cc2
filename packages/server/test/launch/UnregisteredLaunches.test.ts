import type { Launch } from "@launch-registry/domain/launch/Launch"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { follow, take } from "../stream/EventReader.ts"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { dataAt } from "../tokens/TokenRequests.ts"
import { indexPool, learnCurve } from "./IndexedTrades.ts"
import { compareAll } from "./ManyLaunches.ts"

/** Indexes a launch, as lists have it. */
const launched = Effect.fnUntraced(function* (...pool: Parameters<typeof indexPool>) {
  const sql = yield* SqlClient
  yield* indexPool(...pool)
  yield* sql`update dbc_pools set creator = ${sampleAddress()} where base_mint = ${pool[0]}`
})

/** The row of a launch in a list. */
const rowOf = (mint: string) =>
  Effect.map(
    dataAt(`/api/launch/pools?registered=any&mintAddresses=${mint}&include=trust`),
    (data) => (data as ReadonlyArray<Launch>)[0]!,
  )

/** What the event of a launch says of it. */
const eventOf = Effect.fnUntraced(function* (mint: string) {
  const reader = yield* follow(`?mintAddresses=${mint}&types=token`)
  yield* commitChanges(sampleChange("token", mint))
  const [event] = yield* take(reader, 1)
  const { authorities, decimals, totalSupply } = event!.data
  return { authorities, decimals, totalSupply }
}, Effect.scoped)

const UNKNOWN = { configTokenUpdateAuthority: null, mintAuthorityDisabled: null, isMutable: null }

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }), { excludeTestServices: true })(
  "A launch that nobody registered",
  (it) => {
    it.effect("has decimals and supply of its mint, or else of its configuration, in lists and on the stream", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [minted, created, learned, nothing] = [sampleAddress(), sampleAddress(), sampleAddress(), sampleAddress()]
        const [ofCreated, ofLearned] = [sampleAddress(), sampleAddress()]
        yield* launched(minted, { decimals: 9 })
        yield* sql`update dbc_pools set supply = 18446744073709551615 where base_mint = ${minted}`
        yield* launched(created, { config: ofCreated })
        yield* sql`
          insert into dbc_configs (config, quote_mint, fee_claimer, leftover_receiver, token_decimal, created_slot)
          values (${ofCreated}, '', '', '', 6, 0)`
        yield* launched(learned, { config: ofLearned })
        yield* learnCurve(ofLearned, { baseDecimals: 0, supply: "21000" })
        yield* launched(nothing)
        yield* compareAll
        for (const [mint, decimals, totalSupply] of [
          [minted, 9, "18446744073.709551615"],
          [created, 6, null],
          [learned, 0, "21000"],
          [nothing, null, null],
        ] as const) {
          assert.deepInclude(yield* rowOf(mint), { token: null, decimals, totalSupply })
          assert.deepInclude(yield* eventOf(mint), { decimals, totalSupply })
        }
      }),
    )

    it.effect("has the authorities that its configuration left, and none that are not known", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        for (const [option, known] of [
          [0, { mintAuthorityDisabled: true, isMutable: null }],
          [1, { mintAuthorityDisabled: true, isMutable: false }],
          [2, { mintAuthorityDisabled: true, isMutable: null }],
          [3, { mintAuthorityDisabled: false, isMutable: null }],
          [4, { mintAuthorityDisabled: false, isMutable: null }],
        ] as const) {
          const [mint, config] = [sampleAddress(), sampleAddress()]
          yield* launched(mint, { config })
          yield* compareAll
          const unknown = { freezeAuthorityDisabled: true, ...UNKNOWN }
          assert.deepStrictEqual((yield* rowOf(mint)).trust!.authorities, unknown)
          yield* learnCurve(config)
          yield* sql`update launch_configs set token_update_authority = ${option} where config_address = ${config}`
          const authorities = { freezeAuthorityDisabled: true, configTokenUpdateAuthority: option as number, ...known }
          assert.deepStrictEqual((yield* rowOf(mint)).trust!.authorities, authorities)
          assert.deepStrictEqual((yield* eventOf(mint)).authorities, authorities)
          for (const [slot, isFinal, isMutable] of [
            [0, false, known.isMutable],
            [1, false, true],
            [2, true, false],
          ] as const) {
            yield* sql`
              insert into token_labels (mint, name, symbol, uri, is_final, slot, read_at)
              values (${mint}, '', '', '', ${isFinal}, ${slot}, now())
              on conflict (mint) do update set (is_final, slot) = (excluded.is_final, excluded.slot)`
            assert.deepInclude((yield* rowOf(mint)).trust!.authorities, { isMutable })
          }
        }
      }),
    )

    it.effect("has no authorities on the stream once it is rolled back", () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* eventOf(sampleAddress()), {
          authorities: null,
          decimals: null,
          totalSupply: null,
        })
      }),
    )
  },
)
