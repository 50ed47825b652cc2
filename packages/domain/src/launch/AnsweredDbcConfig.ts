import { Schema, SchemaAST } from "effect"
import {
  BaseFeeParams,
  BuildCurveParam,
  DbcConfig,
  FeeSchedulerParam,
  LockedVestingParam,
  MigratedPoolFee,
  MigrationFee,
  RateLimiterParam,
} from "./DbcConfig.ts"

const optional = Schema.optionalKey

/** An amount of a configuration, sent as a number or a text. */
const amount = ({ ast }: Schema.Top) =>
  optional(Schema.Finite).annotateKey({
    description: ast.context?.annotations?.description ?? "With all its digits, which may be more than a double holds",
  })

/** A group as it is answered: its description is that of the group as it is sent. */
const group = <F extends Schema.Struct.Fields>(sent: Schema.Top, identifier: string, fields: F) =>
  Schema.Struct(fields).annotate({ identifier, description: String(SchemaAST.resolve(sent.ast)?.description) })

const { initialMarketCap, migrationMarketCap, migrationQuoteThreshold } = BuildCurveParam.fields
const { cliffUnlockAmount, totalLockedVestingAmount } = LockedVestingParam.fields
const { leftover, poolCreationFee, totalTokenSupply } = DbcConfig.fields

const answeredBaseFee = group(BaseFeeParams, "BaseFeeParams", {
  ...BaseFeeParams.fields,
  feeSchedulerParam: optional(group(FeeSchedulerParam, "FeeSchedulerParam", FeeSchedulerParam.fields)),
  rateLimiterParam: optional(
    group(RateLimiterParam, "RateLimiterParam", {
      ...RateLimiterParam.fields,
      referenceAmount: amount(RateLimiterParam.fields.referenceAmount),
    }),
  ),
})

/** A {@link DbcConfig} as it is answered: its amounts are numbers. */
export const AnsweredDbcConfig = group(DbcConfig, "DbcConfig", {
  ...DbcConfig.fields,
  totalTokenSupply: amount(totalTokenSupply),
  leftover: amount(leftover),
  poolCreationFee: amount(poolCreationFee),
  buildCurveParam: optional(
    group(BuildCurveParam, "BuildCurveParam", {
      ...BuildCurveParam.fields,
      migrationQuoteThreshold: amount(migrationQuoteThreshold),
      initialMarketCap: amount(initialMarketCap),
      migrationMarketCap: amount(migrationMarketCap),
    }),
  ),
  baseFeeParams: optional(answeredBaseFee),
  lockedVestingParam: optional(
    group(LockedVestingParam, "LockedVestingParam", {
      ...LockedVestingParam.fields,
      totalLockedVestingAmount: amount(totalLockedVestingAmount),
      cliffUnlockAmount: amount(cliffUnlockAmount),
    }),
  ),
  migrationFee: optional(group(MigrationFee, "MigrationFee", MigrationFee.fields)),
  migratedPoolFee: optional(group(MigratedPoolFee, "MigratedPoolFee", MigratedPoolFee.fields)),
})
