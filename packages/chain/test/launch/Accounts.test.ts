import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import launches from "../../fixtures/launches.json" with { type: "json" }
import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import { baseProgress, quoteProgress } from "../../src/dbc/CurveProgress.ts"
import { marketCapInQuote, priceInQuote, wholeTokens } from "../../src/venues/Prices.ts"
import {
  dammV2PoolAddress,
  poolAddress,
  poolMetadataAddress,
  vaultAddress,
} from "../../src/accounts/DerivedAddresses.ts"
import { decodePool } from "../../src/dbc/PoolAccount.ts"
import { decodeMetaplexLabel, decodeMintLabel, decodePoolMetadata } from "../../src/accounts/TokenLabelAccounts.ts"

const bytesOf = (data: string) => Uint8Array.from(Buffer.from(data, "base64"))

/** The captured accounts as decoded by the SDK. */
const decoded = (name: string) =>
  JSON.parse(readFileSync(new URL(`../fixtures/${name}.decoded.json`, import.meta.url), "utf8"))

/** The fields of `ours` that the SDK has as well, as text or number like the SDK's. */
const shared = (ours: object, theirs: Record<string, unknown>) =>
  Object.entries(ours).filter(([name, value]) => name in theirs && typeof value !== "object") as Array<
    [string, unknown]
  >

const comparable = (value: unknown) =>
  typeof value === "boolean" ? Number(value) : typeof value === "bigint" ? String(value) : value

const bytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))

describe.each(launches)("The accounts of the captured $launch launch", (launch) => {
  it("decode to the same values as with the SDK", () => {
    const pool = decodePool(bytesOf(launch.pools.mid.data))!
    const { poolState } = decoded(`account-${launch.launch}-pool-mid`)
    const poolFields = shared(pool, poolState)
    assert.isAtLeast(poolFields.length, 19)
    for (const [name, value] of poolFields) assert.strictEqual(comparable(value), poolState[name], name)

    const config = decodeConfig(bytesOf(launch.config.data))!
    const theirs = decoded(`account-${launch.launch}-config`)
    const configFields = shared(config, theirs)
    assert.isAtLeast(configFields.length, 27)
    for (const [name, value] of configFields) assert.strictEqual(comparable(value), theirs[name], name)
    assert.strictEqual(String(config.cliffFeeNumerator), theirs.poolFees.baseFee.cliffFeeNumerator)
    assert.strictEqual(config.baseFeeMode, theirs.poolFees.baseFee.baseFeeMode)
    const points = config.curve.map(({ liquidity, sqrtPrice }) => ({
      sqrtPrice: String(sqrtPrice),
      liquidity: String(liquidity),
    }))
    assert.deepStrictEqual(points, theirs.curve.slice(0, points.length))
  })

  it("are at the derived addresses", async () => {
    const pool = decodePool(bytesOf(launch.pools.mid.data))!
    const { quoteMint } = decodeConfig(bytesOf(launch.config.data))!
    const address = await poolAddress(pool.config, pool.baseMint, quoteMint)
    assert.strictEqual(address, launch.pools.mid.address)
    assert.strictEqual(await vaultAddress(pool.baseMint, address), pool.baseVault)
    assert.strictEqual(await vaultAddress(quoteMint, address), pool.quoteVault)
    assert.strictEqual(await poolMetadataAddress(address), launch.poolMetadata.address)
  })

  it("show progress from 0 to 100 %, consistent with the stage", () => {
    const config = decodeConfig(bytesOf(launch.config.data))!
    const progress = (["fresh", "mid", "complete"] as const).map((stage) => {
      const { quoteReserve, sqrtPrice } = decodePool(bytesOf(launch.pools[stage].data))!
      return [quoteProgress(quoteReserve, config), baseProgress(sqrtPrice, config)] as const
    })
    assert.deepStrictEqual(progress[0], [0, 0])
    assert.isTrue(progress[1]![0] > 0 && progress[1]![0] < 0.1)
    assert.deepStrictEqual(progress[2], [1, 1])
  })

  it("contain the metadata that the creator published", () => {
    assert.deepStrictEqual(decodePoolMetadata(bytesOf(launch.poolMetadata.data))?.website, "https://ex.test")
  })
})

describe("Account decoders", () => {
  it.prop("return undefined for any other bytes, and never throw", [bytes], ([values]) => {
    const input = Uint8Array.from(values)
    assert.isUndefined(decodePool(input))
    assert.isUndefined(decodeConfig(input))
    assert.isUndefined(decodePoolMetadata(input))
    decodeMintLabel(input)
    decodeMetaplexLabel(Uint8Array.from([4, ...values]))
    decodeMintLabel(Uint8Array.from([...new Uint8Array(166), 19, 0, ...values]))
  })

  it("return undefined for a truncated pool", () => {
    const whole = bytesOf(launches[0]!.pools.mid.data)
    assert.isDefined(decodePool(whole))
    assert.isUndefined(decodePool(whole.subarray(0, 423)))
  })
})

describe("Curve math", () => {
  const price = Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 4_295_048_016n, maximum: 2n ** 80n }))

  it.prop("agrees with floating point as far as doubles are exact", [price], ([sqrtPrice]) => {
    const expected = (Number(sqrtPrice) / 2 ** 64) ** 2 * 10 ** (6 - 9)
    const ours = Number(priceInQuote(sqrtPrice, 6, 9))
    assert.isAtMost(Math.abs(ours - expected), expected * 1e-9 + 1e-18)
    assert.isAtMost(Math.abs(Number(marketCapInQuote(sqrtPrice, 10n ** 15n, 9)) - expected * 1e9), expected + 1e-9)
  })

  it("converts smallest units to whole tokens", () => {
    assert.strictEqual(wholeTokens(1_500_000_000n, 9), "1.5")
    assert.strictEqual(wholeTokens(1n, 9), "0.000000001")
    assert.strictEqual(wholeTokens(7n, 0), "7")
  })

  it("derives the AMM pool that the captured launch migrated to", async () => {
    const [spl] = launches
    const { quoteMint } = decodeConfig(bytesOf(spl!.config.data))!
    const { migratedPool } = JSON.parse(
      readFileSync(new URL("../fixtures/migrated-pools.json", import.meta.url), "utf8"),
    ).spl
    const pool = await dammV2PoolAddress("2c4cYd4reUYVRAB9kUUkrq55VPyy2FNQ3FDL4o12JXmq", spl!.baseMint, quoteMint)
    assert.strictEqual(pool, migratedPool)
  })
})
