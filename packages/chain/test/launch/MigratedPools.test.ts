import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/solana/Base58"
import { Effect, Schema } from "effect"
import { dammV2PoolAddress } from "../../src/launch/DerivedAddresses.ts"
import { migrationConfigOf } from "../../src/launch/events/MigratedPools.ts"
import { DAMM_V2_CONFIGS, NATIVE_MINT } from "../../src/launch/Programs.ts"

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
      assert.isUndefined(migrationConfigOf(...(addresses as [string, string, string])))
    }
  })
})
