import { createRequire } from "node:module"
import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import { examples, SEED } from "../../../../scripts/Laws.ts"
import { TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import { type ConfigParameters, createConfigInstruction } from "../../src/dbc/ConfigParameters.ts"
import { curveSupply, quoteBetween } from "../../src/dbc/CurveMath.ts"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../src/launches/ConfigPreset.ts"
import { configTerms } from "../../src/launches/ConfigTerms.ts"
import { fractionOf, unitsOf } from "../../src/launches/Fraction.ts"
import { termsOf } from "../../src/launches/LaunchTerms.ts"
import { mintData } from "../../src/localnet/TokenAccounts.ts"
import { acceptedConfigs, seeded } from "./GeneratedConfigs.ts"
import { accountsOf, creates, curveProgram, QUOTE_MINT } from "./CurveProgram.ts"
import { hasPrograms } from "./RealPrograms.ts"
import { named } from "./SandboxedProgram.ts"
import { sdkParameters } from "./SdkCurves.ts"

const complete = (config: DbcConfig) => completeConfig(LAUNCHPAD_PRESETS.launchpad_a.config, config)
const CONFIGS = examples(400, 4_000)
/** Smallest units of a quote token: less is raised by no curve of sixteen segments, each of which is rounded up. */
const ROUNDED_AWAY = 20n

/** Configurations that the rules accept, with decimals of a quote token, and what is made of them. */
const generated = () => {
  const { int } = seeded(SEED * 20_261)
  return acceptedConfigs(SEED * 26_111, CONFIGS).map((config) => {
    const quoteDecimals = int(0, 9)
    return { config: complete(config), quoteDecimals, built: configTerms(complete(config), quoteDecimals) }
  })
}

const sdk = await import("@meteora-ag/dynamic-bonding-curve-sdk")
const { default: BN } = await import("bn.js")
const sdkRequire = createRequire(createRequire(import.meta.url).resolve("@meteora-ag/dynamic-bonding-curve-sdk"))
const { Connection } = sdkRequire("@solana/web3.js") as { readonly Connection: new (url: string) => never }
const client = new sdk.DynamicBondingCurveClient(new Connection("http://127.0.0.1:9"), "confirmed")
const ofSdk = (value: unknown): unknown => {
  if (typeof value === "bigint") return new BN(value.toString())
  if (Array.isArray(value)) return value.map(ofSdk)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, ofSdk(of)]))
}

const shapeOf = ({
  compoundingFeeBps,
  curve,
  migrationFee,
  migrationQuoteThreshold,
  sqrtStartPrice,
}: ConfigParameters) => ({
  shape: {
    sqrtStartPrice: BigInt(sqrtStartPrice),
    curve: curve.map(({ liquidity, sqrtPrice }) => ({ liquidity: BigInt(liquidity), sqrtPrice: BigInt(sqrtPrice) })),
  },
  migration: {
    threshold: BigInt(migrationQuoteThreshold),
    feePercentage: Number(migrationFee.feePercentage),
    compounds: compoundingFeeBps > 0,
  },
})

describe("A configuration that is built", () => {
  it("leaves the leftover and locks the vesting to the unit, between the market caps that were asked for", () => {
    let built = 0
    for (const { built: terms, config, quoteDecimals } of generated()) {
      if ("issue" in terms) {
        assert.match(terms.issue.path, /^body\.dbcConfig\.buildCurveParam\.\w+/, JSON.stringify(config))
        continue
      }
      built++
      const { migration, shape } = shapeOf(terms.parameters)
      const { migrated, migrationSqrtPrice, soldAtMost } = curveSupply(shape, migration)!
      const units = (amount: string) => unitsOf(amount, config.tokenBaseDecimal)!
      const supply = units(config.totalTokenSupply)
      const vesting = units(config.lockedVestingParam.totalLockedVestingAmount!)
      assert.isTrue(soldAtMost + migrated + vesting + units(config.leftover) <= supply)
      assert.strictEqual(terms.terms.lockedVesting.total, vesting.toString())
      const { buildCurveParam: asked, buildCurveMode } = config
      if (buildCurveMode === 0) {
        assert.strictEqual(migration.threshold, unitsOf(asked.migrationQuoteThreshold!, quoteDecimals))
        continue
      }
      const last = shape.curve.findIndex(({ sqrtPrice }) => sqrtPrice >= migrationSqrtPrice)
      const lower = last === 0 ? shape.sqrtStartPrice : shape.curve[last - 1]!.sqrtPrice
      const lastRaised = Number(quoteBetween(lower, shape.curve[last]!.sqrtPrice, shape.curve[last]!.liquidity))
      const capOf = (sqrtPrice: bigint) => (Number(sqrtPrice) / 2 ** 64) ** 2 * Number(supply)
      const close = (found: number, amount: string) => {
        const { dividend, divisor } = fractionOf(amount)
        const expected = (Number(dividend) / Number(divisor)) * 10 ** quoteDecimals
        // What is raised is a whole number of smallest units: one of them moves the price by its part of the last segment.
        assert.closeTo(found / expected, 1, 1e-6 + 8 / lastRaised, JSON.stringify([config, quoteDecimals]))
      }
      close(capOf(shape.sqrtStartPrice), asked.initialMarketCap!)
      close(capOf(migrationSqrtPrice), asked.migrationMarketCap!)
    }
    assert.isAbove(built, CONFIGS / 3)
  })

  it("is written as Meteora's SDK writes it, and takes what its arithmetic says", async () => {
    for (const { built } of generated().slice(0, 60)) {
      if ("issue" in built) continue
      const accounts = accountsOf(named(9))
      const ours = createConfigInstruction(accounts, built.parameters)
      const coder = client.pool.getProgram().coder.instruction
      const args = { configParameters: { ...(ofSdk(built.parameters) as object), padding: [0, 0] } }
      assert.strictEqual(Buffer.from(ours.data!).toString("hex"), coder.encode("createConfig", args).toString("hex"))
      const { migration, shape } = shapeOf(built.parameters)
      const [start, curve, threshold] = [ofSdk(shape.sqrtStartPrice), ofSdk(shape.curve), ofSdk(migration.threshold)]
      const price = sdk.getMigrationThresholdPrice(threshold as never, start as never, curve as never)
      const sold = sdk.getBaseTokenForSwap(start as never, price, curve as never)
      const { migrationSqrtPrice, sold: ourSold } = curveSupply(shape, migration)!
      assert.deepStrictEqual([price.toString(), sold.toString()], [`${migrationSqrtPrice}`, `${ourSold}`])
    }
  })

  it.skipIf(!hasPrograms("dynamic_bonding_curve"))(
    "is not built where the SDK has no curve either, or one that the real program refuses",
    () => {
      const program = curveProgram()
      let refused = 0
      for (const [index, { built, config, quoteDecimals }] of generated().entries()) {
        if ("parameters" in built) continue
        refused++
        const ofSdk = sdkParameters(config, quoteDecimals)
        if (ofSdk === undefined || BigInt(ofSdk.migrationQuoteThreshold) < ROUNDED_AWAY) continue
        program.put(QUOTE_MINT, TOKEN_PROGRAM, mintData(10n ** 9n, quoteDecimals))
        const said = JSON.stringify([built.issue, config, quoteDecimals])
        assert.isFalse(creates(program, named((index % 200) + 20), ofSdk), said)
      }
      assert.isAbove(refused, CONFIGS / 10)
    },
  )

  it.skipIf(!hasPrograms("dynamic_bonding_curve"))(
    "lands on the real program, whose account has the terms that were answered",
    () => {
      const program = curveProgram()
      for (const [index, { built, config, quoteDecimals }] of generated().entries()) {
        if ("issue" in built) continue
        program.put(QUOTE_MINT, TOKEN_PROGRAM, mintData(10n ** 9n, quoteDecimals))
        const address = named((index % 200) + 20)
        assert.isTrue(creates(program, address, built.parameters), JSON.stringify(config))
        const account = decodeConfig(program.data(address))!
        assert.deepStrictEqual(termsOf(account), built.terms)
        const { migratedPoolMarketCapFeeSchedulerParams: scheduler, partnerLiquidityVestingInfo } = built.parameters
        assert.deepStrictEqual(
          account.marketCapFeeScheduler,
          scheduler.numberOfPeriod === 0 ? null : { ...scheduler, reductionFactor: String(scheduler.reductionFactor) },
        )
        const { vestingPercentage } = partnerLiquidityVestingInfo
        assert.deepStrictEqual(
          account.partnerLiquidityVesting,
          vestingPercentage === 0 ? null : partnerLiquidityVestingInfo,
        )
        const { migration, shape } = shapeOf(built.parameters)
        const { migrated, migrationSqrtPrice, sold } = curveSupply(shape, migration)!
        assert.deepInclude(account, {
          ...{ migrationSqrtPrice, swapBaseAmount: sold, migrationBaseThreshold: migrated },
          ...{ migrationQuoteThreshold: migration.threshold },
        })
      }
    },
  )
})
