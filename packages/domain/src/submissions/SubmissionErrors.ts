import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { SubmissionFailure } from "./Submission.ts"

/** A required signature is missing, or is not of this message. */
export class TransactionNotSigned extends Schema.TaggedError<TransactionNotSigned>()("TransactionNotSigned", {
  missing: field(Schema.Array(Schema.String), "Signers that have not signed"),
  wrong: field(Schema.Array(Schema.String), "Signers whose signature is not of this message"),
}) {
  static readonly response = respondWith(TransactionNotSigned, {
    status: 400,
    code: "transaction_not_signed",
    message: ({ missing, wrong }) =>
      missing.length > 0
        ? `The signature of ${missing.join(", ")} is missing`
        : `The signature of ${wrong.join(", ")} is not of this transaction`,
  })
}

/** The chain does not take transactions with this blockhash. */
export class BlockhashNotValid extends Schema.TaggedError<BlockhashNotValid>()("BlockhashNotValid", {
  blockhash: field(Schema.String, "Blockhash of the transaction"),
  reason: field(
    Schema.Literals(["expired", "another_cluster", "unknown"]),
    "expired: too old. another_cluster: its block height is one that this chain has not reached. unknown: one of both, no endpoint knows it",
  ),
  blockHeight: field(Schema.String, "Block height of the chain, a decimal string"),
  genesisHash: Schema.NullOr(Schema.String).annotate({ description: "Genesis hash of the chain of this service" }),
}) {
  static readonly response = respondWith(BlockhashNotValid, {
    status: 409,
    code: "blockhash_not_valid",
    message: ({ blockHeight, blockhash, reason }) =>
      reason === "expired"
        ? `Blockhash ${blockhash} has expired by block height ${blockHeight}: sign the transaction with a recent one`
        : reason === "another_cluster"
          ? `Blockhash ${blockhash} is of another cluster: this chain is at block height ${blockHeight}`
          : `Blockhash ${blockhash} has expired or is of another cluster: no RPC endpoint knows it at block height ${blockHeight}`,
  })
}

/** A node simulated the transaction, and it failed. It was not sent. */
export class SimulationFailed extends Schema.TaggedError<SimulationFailed>()("SimulationFailed", {
  failure: SubmissionFailure,
  logs: field(Schema.Array(Schema.String), "The last lines of the logs of the simulation"),
}) {
  static readonly response = respondWith(SimulationFailed, {
    status: 409,
    code: "simulation_failed",
    message: ({ failure: { code, instruction, message } }) =>
      instruction === null
        ? `The transaction would fail: ${message} (${code})`
        : `The transaction would fail at instruction ${instruction}: ${message} (${code})`,
  })
}
