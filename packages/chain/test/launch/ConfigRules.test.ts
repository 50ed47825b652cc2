import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import { examples, isSweep, SEED } from "../../../../scripts/Laws.ts"
import { TOKEN_PROGRAM } from "../../src/accounts/Programs.ts"
import { createConfigInstruction } from "../../src/dbc/ConfigParameters.ts"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../src/launches/ConfigPreset.ts"
import { configIssues } from "../../src/launches/ConfigRules.ts"
import { configTerms } from "../../src/launches/ConfigTerms.ts"
import { mintData } from "../../src/localnet/TokenAccounts.ts"
import { accountsOf, creates, curveProgram, QUOTE_MINT } from "./CurveProgram.ts"
import { flawedConfigs } from "./FlawedConfigs.ts"
import { seeded } from "./GeneratedConfigs.ts"
import { hasPrograms } from "./RealPrograms.ts"
import { named } from "./SandboxedProgram.ts"

const complete = (config: DbcConfig) => completeConfig(LAUNCHPAD_PRESETS.launchpad_a.config, config)

/** Why the rules refuse what the program (0.1.10) takes. */
const DIFFERENCES: ReadonlyArray<readonly [reason: string, said: RegExp]> = [
  ["version 0.2.1 refuses it, which no public binary is of", /migrationOption: |tokenUpdateAuthority: /],
  ["it would be rounded", /: expected (a multiple of|at most \d+ decimals|at most \d+, one for each)/],
  ["it would be dropped", /: expected only with|anything else of the vesting|0 for an even fee|sixteen weights/],
  ["nothing of the liquidity would vest so", /LiquidityVesting\..*: expected above 0/],
]
const FLAWED = examples(600, 8_000)

describe("What the rules refuse", () => {
  it.skipIf(!hasPrograms("dynamic_bonding_curve"))(
    "is refused by the real program, or would land otherwise than it was asked; what they do not refuse lands",
    () => {
      const program = curveProgram()
      const { int } = seeded(SEED * 31)
      const counts = new Map<string, number>()
      for (const [index, config] of flawedConfigs(SEED * 617, FLAWED).entries()) {
        const quoteDecimals = int(0, 9)
        program.put(QUOTE_MINT, TOKEN_PROGRAM, mintData(10n ** 9n, quoteDecimals))
        const said = configIssues(complete(config)).map(({ message, path }) => `${path}: ${message}`)
        const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
        const parameters = parametersOf(config, quoteDecimals)
        const lands = parameters !== undefined && creates(program, named((index % 200) + 20), parameters)
        const reason = DIFFERENCES.find(([, pattern]) => said.some((one) => pattern.test(one)))?.[0]
        if (said.length === 0) {
          assert.strictEqual(lands, parameters !== undefined, JSON.stringify([config, quoteDecimals]))
          count(lands ? "accepted and landed" : "no such curve")
        } else if (!lands) count("refused and refused")
        else count(reason ?? assert.fail(JSON.stringify([config, said])))
      }
      // The figures of the matrix, where it is run as a sweep.
      if (isSweep) process.stdout.write(`${FLAWED} configurations: ${JSON.stringify(Object.fromEntries(counts))}\n`)
      assert.hasAllKeys(Object.fromEntries(counts), [
        ...["accepted and landed", "no such curve", "refused and refused"],
        ...DIFFERENCES.map(([reason]) => reason),
      ])
    },
  )
})

/** What would be sent of a configuration, whatever the rules say of it; nothing where it cannot be written. */
const parametersOf = (config: DbcConfig, quoteDecimals: number) => {
  try {
    const built = configTerms(complete(config), quoteDecimals)
    if ("issue" in built) return undefined
    createConfigInstruction(accountsOf(QUOTE_MINT), built.parameters)
    return built.parameters
  } catch (fault) {
    // Of numbers that no instruction has.
    if (configIssues(complete(config)).length === 0) throw fault
    return undefined
  }
}

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

/** Of the liquidity a share that vests after a day, the rest free: the program counts a little less than the share. */
const vestingShare = (vestingPercentage: number) => ({
  ...{ partnerLockedLpPercentage: 0, creatorLockedLpPercentage: 0, creatorLpPercentage: 0 },
  partnerLpPercentage: 100 - vestingPercentage,
  partnerLiquidityVesting: { vestingPercentage, cliffDurationFromMigrationTime: DAY + 1 },
})

const twoSegments = (percentageSupplyOnMigration: number) => ({
  ...{ ...caps("30", "420"), buildCurveMode: 2 as const },
  buildCurveParam: { ...caps("30", "420").buildCurveParam, percentageSupplyOnMigration },
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
      // Of shares that two segments can reach, also those that the three middles of the SDK cannot.
      [vestingShare(11)],
      [twoSegments(9)],
      [twoSegments(49)],
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
        {
          buildCurveMode: 3,
          buildCurveParam: {
            ...caps("30", "420").buildCurveParam,
            liquidityWeights: [1e30, ...Array.from({ length: 15 }, () => 1e-9)],
          },
        },
        "buildCurveParam.liquidityWeights: expected weights that differ less",
      ],
      [vestingShare(10), "partnerLockedLpPercentage: expected at least 10 percent locked a day after"],
      [twoSegments(5), "buildCurveParam.percentageSupplyOnMigration: expected another share"],
      [twoSegments(51), "buildCurveParam.percentageSupplyOnMigration: expected another share"],
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
