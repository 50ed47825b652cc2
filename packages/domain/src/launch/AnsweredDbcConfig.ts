import { Schema } from "effect"
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

const { initialMarketCap, migrationMarketCap, migrationQuoteThreshold } = BuildCurveParam.fields
const { cliffUnlockAmount, totalLockedVestingAmount } = LockedVestingParam.fields
const { leftover, poolCreationFee, totalTokenSupply } = DbcConfig.fields

const answeredBaseFee = Schema.Struct({
  ...BaseFeeParams.fields,
  feeSchedulerParam: optional(Schema.Struct(FeeSchedulerParam.fields).annotate({ identifier: "FeeSchedulerParam" })),
  rateLimiterParam: optional(
    Schema.Struct({
      ...RateLimiterParam.fields,
      referenceAmount: amount(RateLimiterParam.fields.referenceAmount),
    }).annotate({ identifier: "RateLimiterParam" }),
  ),
}).annotate({ identifier: "BaseFeeParams" })

/** A {@link DbcConfig} as it is answered: its amounts are numbers. */
export const AnsweredDbcConfig = Schema.Struct({
  ...DbcConfig.fields,
  totalTokenSupply: amount(totalTokenSupply),
  leftover: amount(leftover),
  poolCreationFee: amount(poolCreationFee),
  buildCurveParam: optional(
    Schema.Struct({
      ...BuildCurveParam.fields,
      migrationQuoteThreshold: amount(migrationQuoteThreshold),
      initialMarketCap: amount(initialMarketCap),
      migrationMarketCap: amount(migrationMarketCap),
    }).annotate({ identifier: "BuildCurveParam" }),
  ),
  baseFeeParams: optional(answeredBaseFee),
  lockedVestingParam: optional(
    Schema.Struct({
      ...LockedVestingParam.fields,
      totalLockedVestingAmount: amount(totalLockedVestingAmount),
      cliffUnlockAmount: amount(cliffUnlockAmount),
    }).annotate({ identifier: "LockedVestingParam" }),
  ),
  migrationFee: optional(Schema.Struct(MigrationFee.fields).annotate({ identifier: "MigrationFee" })),
  migratedPoolFee: optional(Schema.Struct(MigratedPoolFee.fields).annotate({ identifier: "MigratedPoolFee" })),
}).annotate({ identifier: "DbcConfig" })
