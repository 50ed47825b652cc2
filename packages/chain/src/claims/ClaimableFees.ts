import type { FeeKind, FeeParty, FeeState } from "@launch-registry/domain/launch/PoolFees"
import type { ConfigAccount } from "../dbc/ConfigAccount.ts"
import { type Curve, isComplete } from "../dbc/CurveSnapshot.ts"
import type { FeePosition } from "./FeePositions.ts"

/** A share of what a pool earned; amounts in smallest units. */
export interface ClaimableFee extends Partial<FeePosition> {
  readonly kind: FeeKind
  readonly party: FeeParty
  /** `undefined` where the NFT of a position is elsewhere. */
  readonly owner: string | undefined
  readonly state: FeeState
  readonly baseAmount: bigint
  readonly quoteAmount: bigint
}

/** Percent of the surplus that creator and partner get; the rest is of the protocol. */
const SURPLUS_SHARE = 80n
const PERCENT = 100n

/** An amount of both, divided by the creator's percentage; what does not divide goes to the partner. */
const divided = (amount: bigint, creatorPercentage: number) => {
  const creator = (amount * BigInt(creatorPercentage)) / PERCENT
  return { creator, partner: amount - creator }
}

/** Shares of what the curve raised beyond its threshold. */
const surplusOf = ({ config, pool }: Pick<Curve, "config" | "pool">) => {
  const surplus = pool.quoteReserve - config.migrationQuoteThreshold
  return divided(surplus > 0n ? (surplus * SURPLUS_SHARE) / PERCENT : 0n, config.creatorTradingFeePercentage)
}

/** Shares of what the migration leaves out of the migrated pool, which is rounded up. */
const migrationFeeOf = (config: ConfigAccount) => {
  const { migrationFeePercentage, migrationQuoteThreshold } = config
  const left = migrationQuoteThreshold * (PERCENT - BigInt(migrationFeePercentage))
  const fee = migrationQuoteThreshold - (left + PERCENT - 1n) / PERCENT
  return divided(fee, config.creatorMigrationFeePercentage)
}

/** Everything that creator and partner have earned, in the order of {@link FeeKind}. */
export const claimableFees = (curve: Curve, positions: ReadonlyArray<FeePosition>): ReadonlyArray<ClaimableFee> => {
  const { config, pool } = curve
  const owners = { creator: pool.creator, partner: config.feeClaimer }
  const parties = ["creator", "partner"] as const
  const [surplus, migrationFee] = [surplusOf(curve), migrationFeeOf(config)]
  const once = (kind: "surplus" | "migrationFee", party: "creator" | "partner", amount: bigint): FeeState =>
    pool.withdrawn[kind][party]
      ? "withdrawn"
      : amount === 0n
        ? "nothing"
        : isComplete(curve)
          ? "claimable"
          : "not_complete"
  const ofCurve = (party: (typeof parties)[number]): ReadonlyArray<ClaimableFee> => {
    const [baseAmount, quoteAmount] =
      party === "creator" ? [pool.creatorBaseFee, pool.creatorQuoteFee] : [pool.partnerBaseFee, pool.partnerQuoteFee]
    const shared = { party, owner: owners[party] }
    return [
      { kind: "trading_fee", ...shared, state: stateOf(baseAmount, quoteAmount), baseAmount, quoteAmount },
      {
        ...{ kind: "surplus", ...shared, state: once("surplus", party, surplus[party]) },
        ...{ baseAmount: 0n, quoteAmount: surplus[party] },
      },
      {
        ...{ kind: "migration_fee", ...shared, state: once("migrationFee", party, migrationFee[party]) },
        ...{ baseAmount: 0n, quoteAmount: migrationFee[party] },
      },
    ]
  }
  const ofPosition = ({ held, position }: FeePosition): ClaimableFee => {
    const { a, b } = position.fees ?? { a: 0n, b: 0n }
    const party = parties.find((one) => owners[one] === held?.owner) ?? "holder"
    const state = held === undefined ? "elsewhere" : stateOf(a, b)
    return { kind: "position_fee", party, owner: held?.owner, state, baseAmount: a, quoteAmount: b, position, held }
  }
  return [...parties.flatMap(ofCurve), ...positions.map(ofPosition)]
}

const stateOf = (baseAmount: bigint, quoteAmount: bigint): FeeState =>
  baseAmount > 0n || quoteAmount > 0n ? "claimable" : "nothing"
