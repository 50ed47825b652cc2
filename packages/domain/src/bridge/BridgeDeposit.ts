import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { DepositAddress, DepositMemo, ForeignAddress, TransferHash } from "./ForeignText.ts"

/** Body of `POST /api/bridge/deposit`: a transfer that was sent to a deposit address. */
export const BridgeDepositReport = Schema.Struct({
  depositAddress: field(DepositAddress, "depositAddress of the quote"),
  memo: Schema.optionalKey(
    field(Schema.NullOr(DepositMemo), "depositMemo of the quote; null or absent if it has none"),
  ),
  txHash: TransferHash,
  nearSenderAccount: Schema.optionalKey(field(ForeignAddress, "Account that sent the transfer, for transfers on NEAR")),
}).annotate({ identifier: "BridgeDepositReport", description: "A transfer that was sent to a deposit address" })
export type BridgeDepositReport = typeof BridgeDepositReport.Type

/** A stored report, which is forwarded until the swap service accepts it. */
export const AcceptedDeposit = Schema.Struct({
  accepted: field(
    Schema.Literal(true),
    "true: the report is stored, and forwarded until the swap service has accepted it",
  ),
  id: field(Schema.String, "Id of the swap, a UUID"),
  depositAddress: DepositAddress,
  depositMemo: field(Schema.NullOr(DepositMemo), "Memo of the swap; null if it has none"),
  txHash: TransferHash,
  reportedAt: field(Timestamp, "When the transfer was first reported"),
}).annotate({ identifier: "AcceptedDeposit", description: "A report that was accepted" })
export type AcceptedDeposit = typeof AcceptedDeposit.Type

/** A reported transfer, and whether the swap service has accepted the report. */
export const ReportedDeposit = Schema.Struct({
  txHash: TransferHash,
  reportedAt: field(Timestamp, "When the transfer was first reported"),
  deliveredAt: field(Schema.NullOr(Timestamp), "When the swap service accepted the report; null until then"),
  lastError: field(
    Schema.NullOr(Schema.String),
    "Error of the last failed attempt to forward the report; null without one",
  ),
}).annotate({ identifier: "ReportedDeposit", description: "A reported transfer" })
export type ReportedDeposit = typeof ReportedDeposit.Type
