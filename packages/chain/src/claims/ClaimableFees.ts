import type { FeeKind, FeeParty, FeeState } from "@launch-registry/domain/pools/PoolFees"
import type { ConfigAccount } from "../dbc/ConfigAccount.ts"
import { type Curve, isComplete } from "../dbc/CurveSnapshot.ts"
import type { FeePosition } from "./FeePositions.ts"

/** A share of what a pool earned; amounts of tokens in smallest units. */
export interface ClaimableFee extends Partial<FeePosition> {
  readonly kind: FeeKind
  readonly party: FeeParty
  /** `undefined` where the NFT of a position is elsewhere. */
  readonly owner: string | undefined
  readonly state: FeeState
  readonly baseAmount: bigint
  readonly quoteAmount: bigint
  readonly lamports: bigint
}

type Accounts = Pick<Curve, "config" | "pool">

/** Percent of the surplus that creator and partner get; the rest is of the protocol. */
const SURPLUS_SHARE = 80n
const PERCENT = 100n
/** Percent of the fee for creating a pool that are the protocol's, rounded down. */
const PROTOCOL_CREATION_SHARE = 10n
/** `migration_progress` once the pool of the migration exists. */
const MIGRATED = 3

/** An amount of both, divided by the creator's percentage; what does not divide goes to the partner. */
const divided = (amount: bigint, creatorPercentage: number) => {
  const creator = (amount * BigInt(creatorPercentage)) / PERCENT
  return { creator, partner: amount - creator }
}

/** Shares of what the curve raised beyond its threshold. */
const surplusOf = ({ config, pool }: Accounts) => {
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

const NO_AMOUNTS = { baseAmount: 0n, quoteAmount: 0n, lamports: 0n }

const poolCreationFeeOf = ({ config, pool }: Accounts): ClaimableFee => {
  const lamports = config.poolCreationFee - (config.poolCreationFee * PROTOCOL_CREATION_SHARE) / PERCENT
  const state = pool.withdrawn.poolCreationFee ? "withdrawn" : lamports === 0n ? "nothing" : "claimable"
  return { kind: "pool_creation_fee", party: "partner", owner: config.feeClaimer, state, ...NO_AMOUNTS, lamports }
}

/** What the base vault holds beyond fees. How much that will be is not known before the migration. */
const leftoverOf = ({ config, pool }: Accounts, baseVaultAmount: bigint): ClaimableFee => {
  const shared = {
    kind: "leftover",
    party: "leftover_receiver",
    owner: config.leftoverReceiver,
    ...NO_AMOUNTS,
  } as const
  if (pool.withdrawn.leftover) return { ...shared, state: "withdrawn" }
  if (!config.isFixedSupply) return { ...shared, state: "nothing" }
  if (pool.migrationProgress !== MIGRATED) return { ...shared, state: "not_migrated" }
  const fees = pool.partnerBaseFee + pool.creatorBaseFee + pool.protocolBaseFee + pool.protocolMigrationBaseFee
  const baseAmount = baseVaultAmount - fees
  return baseAmount > 0n ? { ...shared, state: "claimable", baseAmount } : { ...shared, state: "nothing" }
}

/** Everything that was earned: of the creator, of the partner, the leftover, of positions. */
export const claimableFees = (
  curve: Accounts,
  positions: ReadonlyArray<FeePosition>,
  baseVaultAmount: bigint,
): ReadonlyArray<ClaimableFee> => {
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
    const shared = { party, owner: owners[party], ...NO_AMOUNTS }
    return [
      { ...shared, kind: "trading_fee", state: stateOf(baseAmount, quoteAmount), baseAmount, quoteAmount },
      {
        ...{ ...shared, kind: "surplus", state: once("surplus", party, surplus[party]) },
        quoteAmount: surplus[party],
      },
      {
        ...{ ...shared, kind: "migration_fee", state: once("migrationFee", party, migrationFee[party]) },
        quoteAmount: migrationFee[party],
      },
    ]
  }
  const ofPosition = ({ held, position }: FeePosition): ClaimableFee => {
    const { a, b } = position.fees ?? { a: 0n, b: 0n }
    const party = parties.find((one) => owners[one] === held?.owner) ?? "holder"
    const state = held === undefined ? "elsewhere" : stateOf(a, b)
    const amounts = { baseAmount: a, quoteAmount: b, lamports: 0n }
    return { kind: "position_fee", party, owner: held?.owner, state, ...amounts, position, held }
  }
  const leftover = leftoverOf(curve, baseVaultAmount)
  return [...parties.flatMap(ofCurve), poolCreationFeeOf(curve), leftover, ...positions.map(ofPosition)]
}

const stateOf = (baseAmount: bigint, quoteAmount: bigint): FeeState =>
  baseAmount > 0n || quoteAmount > 0n ? "claimable" : "nothing"
