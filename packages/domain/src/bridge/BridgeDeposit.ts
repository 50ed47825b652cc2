import { Schema } from "effect"
import { Timestamp } from "../time/Timestamp.ts"
import { DepositAddress, DepositMemo, ForeignAddress, TransferHash } from "./ForeignText.ts"

/** Body of `POST /api/bridge/deposit`: a transfer that was sent to a deposit address. */
export const BridgeDepositReport = Schema.Struct({
  depositAddress: DepositAddress,
  memo: Schema.optionalKey(Schema.NullOr(DepositMemo)).annotateKey({
    description: "depositMemo of the quote; null or left out when it has none",
  }),
  txHash: TransferHash,
  nearSenderAccount: Schema.optionalKey(ForeignAddress).annotateKey({ description: "Who sent it, on NEAR" }),
}).annotate({ identifier: "BridgeDepositReport" })
export type BridgeDepositReport = typeof BridgeDepositReport.Type

/** A report that is kept: the swap service is told of it until it has taken it. */
export const AcceptedDeposit = Schema.Struct({
  accepted: Schema.Literal(true),
  id: Schema.String.annotate({ description: "Of the swap" }),
  depositAddress: DepositAddress,
  depositMemo: Schema.NullOr(DepositMemo),
  txHash: TransferHash,
  reportedAt: Timestamp,
}).annotate({ identifier: "AcceptedDeposit" })
export type AcceptedDeposit = typeof AcceptedDeposit.Type

/** A reported transfer, and whether the swap service knows of it. */
export const ReportedDeposit = Schema.Struct({
  txHash: TransferHash,
  reportedAt: Timestamp,
  deliveredAt: Schema.NullOr(Timestamp).annotate({ description: "null while the swap service has not taken it" }),
  lastError: Schema.NullOr(Schema.String),
}).annotate({ identifier: "ReportedDeposit" })
export type ReportedDeposit = typeof ReportedDeposit.Type
