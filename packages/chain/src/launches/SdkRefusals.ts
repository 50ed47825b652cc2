import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"

const SHARE = "buildCurveParam.percentageSupplyOnMigration"

/**
 * Errors of the SDK (1.5.12) for numbers that are valid alone but make no curve together, with the field to change
 * and in words that help. Its own are about its arithmetic.
 */
const REFUSALS: ReadonlyArray<readonly [said: RegExp, field: string, message: string]> = [
  [/leftOverDelta/, "leftover", "expected more: what rounding the curve leaves over is more than this"],
  [
    /Curve is empty/,
    SHARE,
    "expected another share: no curve of two segments sells the rest of the supply between these market caps",
  ],
  [
    /subtraction overflow|swap base amount and migration base amount/,
    SHARE,
    "expected another share: with the vesting, the leftover and the migration fee, nothing would be left to sell",
  ],
  [
    /Not enough liquidity/,
    "buildCurveParam",
    "expected a curve that raises its migration threshold: the supply that is sold does not reach it",
  ],
  [
    /byte array longer than desired length/,
    "buildCurveParam",
    "expected less extreme amounts: prices and liquidity of the curve have to fit 128 bits",
  ],
  [/Assertion failed/, "totalTokenSupply", "expected more: vesting, leftover and what migrates take all of it"],
]

/** Where the market caps make the share that migrates. */
const CAPS = [
  "buildCurveParam.migrationMarketCap",
  "expected market caps further apart: with the vesting, the leftover and the migration fee, nothing would be left to sell between them",
] as const

/** The field and the rule behind an error of the SDK about a curve of this `buildCurveMode`. */
export const refusalIssue = (said: string, mode: number): InvalidIssue => {
  const known = REFUSALS.find(([pattern]) => pattern.test(said))
  if (known === undefined) return { path: "body.dbcConfig", message: `no curve can be built of it: ${said}` }
  const hasShare = mode === 0 || mode === 2
  const [field, message] = known[1] === SHARE && !hasShare ? CAPS : known.slice(1)
  return { path: `body.dbcConfig.${field}`, message: `${message} (the SDK says: ${said})` }
}
