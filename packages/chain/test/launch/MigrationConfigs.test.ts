import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Effect, Schema } from "effect"
import { dammV1PoolAddress, dammV2PoolAddress } from "../../src/accounts/DerivedAddresses.ts"
import { dammV1ConfigOf, migratedVenueOf, migrationConfigOf } from "../../src/transactions/MigratedPools.ts"
import { DAMM_V1_CONFIGS, DAMM_V2_CONFIGS, NATIVE_MINT } from "../../src/accounts/Programs.ts"

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))
const Bytes32 = Schema.Array(Byte).check(Schema.isMinLength(32), Schema.isMaxLength(32))
const addressOf = (bytes: ReadonlyArray<number>) => encodeBase58(Uint8Array.from(bytes))

describe("The configuration of a migrated pool", () => {
  it.effect.prop(
    "is the one that its address derives from, for any mints, in any order of asking",
    [Bytes32, Bytes32, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: DAMM_V2_CONFIGS.length - 1 }))],
    ([base, other, option]) =>
      Effect.gen(function* () {
        const [baseMint, another] = [addressOf(base), addressOf(other)]
        const config = DAMM_V2_CONFIGS[option]!
        const pool = yield* Effect.promise(() => dammV2PoolAddress(config, baseMint, NATIVE_MINT))
        // First for what it is not: an earlier answer must not decide a later one.
        if (another !== baseMint) assert.isUndefined(migrationConfigOf(pool, another, NATIVE_MINT))
        assert.strictEqual(migrationConfigOf(pool, baseMint, NATIVE_MINT), config)
        assert.strictEqual(migrationConfigOf(pool, baseMint, NATIVE_MINT), config)
        if (another !== baseMint) assert.isUndefined(migrationConfigOf(pool, baseMint, another))
        assert.isUndefined(migrationConfigOf(another, baseMint, NATIVE_MINT))
      }),
  )

  it.effect.prop(
    "is one of DAMM v1 where the pool is one of its, and says the venue",
    [Bytes32, Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: DAMM_V1_CONFIGS.length - 1 }))],
    ([base, option]) =>
      Effect.gen(function* () {
        const [baseMint, v1, v2] = [addressOf(base), DAMM_V1_CONFIGS[option]!, DAMM_V2_CONFIGS[option]!]
        const pool = yield* Effect.promise(() => dammV1PoolAddress(v1, baseMint, NATIVE_MINT))
        assert.strictEqual(dammV1ConfigOf(pool, baseMint, NATIVE_MINT), v1)
        assert.isUndefined(migrationConfigOf(pool, baseMint, NATIVE_MINT))
        assert.strictEqual(migratedVenueOf(pool, baseMint, NATIVE_MINT), "damm_v1")
        const other = yield* Effect.promise(() => dammV2PoolAddress(v2, baseMint, NATIVE_MINT))
        assert.isUndefined(dammV1ConfigOf(other, baseMint, NATIVE_MINT))
        assert.strictEqual(migratedVenueOf(other, baseMint, NATIVE_MINT), "damm_v2")
        // A configuration that everybody may use makes pools of other addresses.
        const foreign = yield* Effect.promise(() => dammV1PoolAddress(v2, baseMint, NATIVE_MINT))
        assert.isUndefined(migratedVenueOf(foreign, baseMint, NATIVE_MINT))
      }),
  )

  it.effect("stays the same after more pools than are remembered", () =>
    Effect.gen(function* () {
      const [config] = DAMM_V2_CONFIGS
      const mint = addressOf(Array.from({ length: 32 }, (_, at) => at + 1))
      const pool = yield* Effect.promise(() => dammV2PoolAddress(config, mint, NATIVE_MINT))
      assert.strictEqual(migrationConfigOf(pool, mint, NATIVE_MINT), config)
      for (let count = 0; count < 10_001; count++) migrationConfigOf(`no address ${count}`, mint, NATIVE_MINT)
      assert.strictEqual(migrationConfigOf(pool, mint, NATIVE_MINT), config)
    }),
  )

  it.each(["", "1", "0OIl", "1".repeat(44), "z".repeat(44), "z".repeat(100_000)])("is none for %s", (text) => {
    const [config] = DAMM_V2_CONFIGS
    for (const place of [0, 1, 2]) {
      const addresses = [config, NATIVE_MINT, config].map((address, at) => (at === place ? text : address))
      assert.isUndefined(migratedVenueOf(...(addresses as [string, string, string])))
    }
  })
})
