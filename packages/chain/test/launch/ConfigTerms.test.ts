import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import { examples } from "../../../../scripts/Laws.ts"
import { DBC_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { decodeConfig } from "../../src/dbc/ConfigAccount.ts"
import { type ConfigParameters, createConfigInstruction } from "../../src/dbc/ConfigParameters.ts"
import { curveSupply } from "../../src/dbc/CurveMath.ts"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../src/launches/ConfigPreset.ts"
import { configIssues } from "../../src/launches/ConfigRules.ts"
import { configTerms } from "../../src/launches/ConfigTerms.ts"
import { fractionOf, unitsOf } from "../../src/launches/Fraction.ts"
import { termsOf } from "../../src/launches/LaunchTerms.ts"
import { acceptedConfigs, seeded } from "./GeneratedConfigs.ts"
import { named, SandboxedProgram } from "./SandboxedProgram.ts"

const PROGRAM = fileURLToPath(new URL("../../../../programs/dynamic_bonding_curve.so", import.meta.url))
const hasProgram = existsSync(PROGRAM)
const ADDRESS = "2gPJHzn5khcuAjvLQxyVVyLDTAyvj1Xx8chWb4PPg1CR"
const accountsOf = (config: string, quoteMint: string) => ({
  ...{ config, quoteMint, feeClaimer: ADDRESS, leftoverReceiver: ADDRESS, payer: ADDRESS },
})

const mintOf = (decimals: number) =>
  Uint8Array.from({ length: 82 }, (_, at) => (at === 44 ? decimals : at === 45 ? 1 : 0))

const complete = (config: DbcConfig) => completeConfig(LAUNCHPAD_PRESETS.launchpad_a.config, config)
const CONFIGS = examples(400, 4_000)
/** Configurations that the rules accept, with decimals of a quote token, and what is made of them. */
const generated = () => {
  const { pick } = seeded(20_261_128)
  return acceptedConfigs(20_261_121, CONFIGS).map((config) => {
    const quoteDecimals = pick([0, 2, 5, 6, 8, 9])
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
      const capOf = (sqrtPrice: bigint) => (Number(sqrtPrice) / 2 ** 64) ** 2 * Number(supply)
      const close = (found: number, amount: string) => {
        const { dividend, divisor } = fractionOf(amount)
        const expected = (Number(dividend) / Number(divisor)) * 10 ** quoteDecimals
        // What is raised is a whole number of smallest units.
        assert.closeTo(
          found / expected,
          1,
          1e-6 + 8 / Number(migration.threshold),
          JSON.stringify([config, quoteDecimals]),
        )
      }
      close(capOf(shape.sqrtStartPrice), asked.initialMarketCap!)
      close(capOf(migrationSqrtPrice), asked.migrationMarketCap!)
    }
    assert.isAbove(built, CONFIGS / 3)
  })

  it("is written as Meteora's SDK writes it, and takes what its arithmetic says", async () => {
    for (const { built } of generated().slice(0, 60)) {
      if ("issue" in built) continue
      const accounts = accountsOf(named(9), named(8))
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

  it.skipIf(!hasProgram)("lands on the real program, whose account has the terms that were answered", () => {
    const program = new SandboxedProgram({ [DBC_PROGRAM]: PROGRAM })
    program.put(ADDRESS, SYSTEM_PROGRAM, new Uint8Array(0))
    const quoteMint = named(7)
    for (const [index, { built, config, quoteDecimals }] of generated().entries()) {
      if ("issue" in built) continue
      program.put(quoteMint, TOKEN_PROGRAM, mintOf(quoteDecimals))
      const address = named((index % 200) + 20)
      program.put(address, SYSTEM_PROGRAM, new Uint8Array(0), 0n)
      const accounts = accountsOf(address, quoteMint)
      assert.isTrue(program.send(ADDRESS, createConfigInstruction(accounts, built.parameters)), JSON.stringify(config))
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
  })
})

/** Configurations that the rules refuse, and whether the program (0.1.10) refuses them too. */
const REFUSED: ReadonlyArray<readonly [DbcConfig, program: "refuses" | "takes"]> = [
  [{ tokenBaseDecimal: 5 }, "refuses"],
  [{ tokenBaseDecimal: 10, totalTokenSupply: "1000000" }, "refuses"],
  [{ baseFeeParams: { feeSchedulerParam: { startingFeeBps: 24, endingFeeBps: 24 } } }, "refuses"],
  [{ baseFeeParams: { feeSchedulerParam: { startingFeeBps: 9_901, endingFeeBps: 9_901 } } }, "refuses"],
  [{ poolCreationFee: "0.0005" }, "refuses"],
  [{ poolCreationFee: "101" }, "refuses"],
  [{ partnerLockedLpPercentage: 49 }, "refuses"],
  [{ partnerLockedLpPercentage: 4, creatorLockedLpPercentage: 5, partnerLpPercentage: 91 }, "refuses"],
  [{ migrationFee: { feePercentage: 0, creatorFeePercentage: 1 } }, "refuses"],
  [{ migrationFeeOption: 6, migratedPoolFee: { poolFeeBps: 9 } }, "refuses"],
  [{ migrationFeeOption: 6, migratedPoolFee: { poolFeeBps: 100, compoundingFeeBps: 1 } }, "refuses"],
  [{ migrationFeeOption: 6, migratedPoolFee: { poolFeeBps: 100, collectFeeMode: 2 } }, "refuses"],
  // Version 0.2.1 refuses these, which no public binary is of.
  [{ migrationOption: 0 }, "takes"],
  [{ tokenUpdateAuthority: 3 }, "takes"],
]

describe("What the rules refuse", () => {
  it.skipIf(!hasProgram)("is refused by the real program, but for what its next version refuses", () => {
    const program = new SandboxedProgram({ [DBC_PROGRAM]: PROGRAM })
    program.put(ADDRESS, SYSTEM_PROGRAM, new Uint8Array(0))
    program.put(named(7), TOKEN_PROGRAM, mintOf(9))
    for (const [index, [config, expected]] of REFUSED.entries()) {
      assert.isNotEmpty(configIssues(complete(config)), JSON.stringify(config))
      const built = configTerms(complete(config), 9)
      if ("issue" in built) return assert.fail(built.issue.message)
      const accounts = accountsOf(named(index + 20), named(7))
      const landed = program.send(ADDRESS, createConfigInstruction(accounts, built.parameters))
      assert.strictEqual(landed ? "takes" : "refuses", expected, JSON.stringify(config))
    }
  })
})

/** What is said of a configuration, by its field; nothing of one that is built. */
const saidOf = (config: DbcConfig, quoteDecimals = 9) => {
  const issues = configIssues(complete(config))
  const built = issues.length > 0 ? undefined : configTerms(complete(config), quoteDecimals)
  const all = built === undefined ? issues : "issue" in built ? [built.issue] : []
  return all.map(({ message, path }) => `${path.replace("body.dbcConfig.", "")}: ${message}`)
}

const DAY = 86_400
const vesting = (total: string, numberOfVestingPeriod: number, totalVestingDuration: number, cliff = "0") => ({
  lockedVestingParam: {
    ...{ totalLockedVestingAmount: total, cliffUnlockAmount: cliff, numberOfVestingPeriod, totalVestingDuration },
    cliffDurationFromMigrationTime: 0,
  },
})
const falling = (numberOfPeriod: number, totalDuration: number) => ({
  baseFeeParams: {
    feeSchedulerParam: { startingFeeBps: 5_000, endingFeeBps: 100, numberOfPeriod, totalDuration },
  },
})
const caps = (initialMarketCap: string, migrationMarketCap: string) => ({
  ...{ buildCurveMode: 1 as const, buildCurveParam: { initialMarketCap, migrationMarketCap } },
})

describe("What is asked of a configuration", () => {
  it("is taken where the program takes it", () => {
    for (const [config, decimals] of [
      [{ totalTokenSupply: "21000", leftover: "0" }],
      [{ totalTokenSupply: "1", tokenBaseDecimal: 9, leftover: "0" }],
      [{ ...caps("3000", "42000"), leftover: "0" }, 5],
      [{ ...caps("3000", "42000"), leftover: "0" }, 2],
      [{ ...caps("3000", "42000"), leftover: "0" }, 0],
      [vesting("100", 365, 365 * DAY)],
      [vesting("1000", 120, 10 * 360 * DAY)],
      [vesting("1000", 0, 0, "1000")],
      [falling(100, 200)],
      [{ migrationFee: { feePercentage: 99 }, leftover: "0" }],
    ] as ReadonlyArray<readonly [DbcConfig, number?]>)
      assert.deepStrictEqual(saidOf(config, decimals), [], JSON.stringify(config))
  })

  it("is refused with the field and what would do", () => {
    for (const [config, said] of [
      [
        vesting("1000", 100, 199),
        "lockedVestingParam.totalVestingDuration: expected a multiple of the 100 periods, such as 100 or 200",
      ],
      [
        falling(100, 199),
        "baseFeeParams.feeSchedulerParam.totalDuration: expected a multiple of the 100 periods, such as 100 or 200",
      ],
      [
        falling(100, 40),
        "baseFeeParams.feeSchedulerParam.totalDuration: expected a multiple of the 100 periods, such as 100:",
      ],
      [vesting("0.000001", 2, 2), "lockedVestingParam.numberOfVestingPeriod: expected at most 1"],
      [vesting("0.0000001", 1, 1), "lockedVestingParam.totalLockedVestingAmount: expected at most 6 decimals"],
      [{ totalTokenSupply: "1.0000001", leftover: "0" }, "totalTokenSupply: expected at most 6 decimals"],
      [{ poolCreationFee: "0.0010000001" }, "poolCreationFee: expected 0, or 0.001 to 100 SOL in whole lamports"],
      [
        {
          buildCurveMode: 3,
          buildCurveParam: {
            ...caps("1", "9").buildCurveParam,
            liquidityWeights: Array.from({ length: 16 }, (_, at) => at),
          },
        },
        "buildCurveParam.liquidityWeights: expected sixteen weights above 0",
      ],
      [
        caps("0.00000000000001", "1000000000000000000"),
        "buildCurveParam.initialMarketCap: expected a less extreme amount",
      ],
      [
        caps("30", "1000000000000000000000000000"),
        "buildCurveParam.migrationMarketCap: expected a less extreme amount",
      ],
      [
        caps("1", "10000000000000000000000"),
        "buildCurveParam.migrationMarketCap: expected another amount: what the curve raises",
      ],
      [
        { buildCurveMode: 0, buildCurveParam: { percentageSupplyOnMigration: 60, migrationQuoteThreshold: "85" } },
        "buildCurveParam.percentageSupplyOnMigration: expected another value",
      ],
    ] as ReadonlyArray<readonly [DbcConfig, string]>) {
      const [first, ...others] = saidOf(config)
      assert.deepStrictEqual(others, [])
      assert.include(first, said, JSON.stringify(config))
    }
  })

  it("is answered as it lands: times and amounts", () => {
    const terms = (config: DbcConfig) => {
      const built = configTerms(complete(config), 9)
      return "issue" in built ? assert.fail(built.issue.message) : built.terms
    }
    // 100 tokens of 6 decimals over a year, each day; what does not divide comes with the cliff.
    assert.deepStrictEqual(
      terms(vesting("100", 365, 365 * DAY)).lockedVesting.releases,
      [
        { secondsAfterCompletion: "0", amount: "265", times: "1", everySeconds: "0" },
        { secondsAfterCompletion: "86400", amount: "273972", times: "365", everySeconds: "86400" },
      ].map((release, index) => (index === 0 ? { ...release, amount: String(100_000_000 - 365 * 273_972) } : release)),
    )
    assert.deepStrictEqual(terms(falling(100, 200)).feeSchedule, {
      ...{ startingFeeBps: 5_000, endingFeeBps: 100, numberOfPeriod: 100, periodFrequency: "2", totalDuration: "200" },
      reductionFactor: "4900000",
    })
    assert.deepStrictEqual(terms({}).lockedVesting.releases, [])
  })
})
