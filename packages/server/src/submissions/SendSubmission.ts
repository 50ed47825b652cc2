import { broadcast } from "@launch-registry/chain/rpc/Broadcast"
import { readFailureLogs } from "@launch-registry/chain/submissions/FailureLogs"
import type { Rpc } from "@launch-registry/chain/rpc/Rpc"
import type { SubmissionFailure } from "@launch-registry/domain/submissions/Submission"
import { plain } from "@launch-registry/domain/text/PlainText"
import { Effect, Result } from "effect"
import type { SubmissionFigures } from "./SubmissionFigures.ts"

const MESSAGE_LENGTH_MAX = 300
/** As a node says that it has executed the same bytes before: no refusal. */
const ALREADY_PROCESSED = /already been processed|AlreadyProcessed/

/** What became of one broadcast. */
export interface Sent {
  /** Whether any endpoint took it. */
  readonly isTaken: boolean
  /** Why nodes refuse it, if all that answered do. */
  readonly refusal: SubmissionFailure | null
}

/** Signed bytes to send. */
export interface SignedBytes {
  readonly transaction: Uint8Array
  readonly skipsPreflight: boolean
}

const refusalOf = (detail: string, logs: ReadonlyArray<string>): SubmissionFailure => {
  const { name, program, sentence } = readFailureLogs(logs)
  return {
    code: name ?? "Refused",
    message: plain(`not sent: ${sentence ?? detail}`, MESSAGE_LENGTH_MAX),
    ...{ instruction: null, program: program ?? null, customCode: null },
  }
}

/** Sends the stored bytes to every endpoint in use; nothing else is ever sent for a submission. */
export const sendTo =
  (rpc: Rpc["Service"], figures: SubmissionFigures["Service"]) =>
  ({ skipsPreflight, transaction }: SignedBytes): Effect.Effect<Sent> =>
    Effect.map(
      broadcast(rpc, Buffer.from(transaction).toString("base64"), { skipPreflight: skipsPreflight }),
      (answers) => {
        let isTaken = false
        let refusal: SubmissionFailure | null = null
        for (const { result } of answers) {
          if (Result.isSuccess(result)) {
            isTaken = true
            figures.count("accepted")
            continue
          }
          const { reason } = result.failure
          const isRefused = reason._tag === "Rejected" && !ALREADY_PROCESSED.test(reason.detail)
          figures.count(isRefused ? "refused" : "failed")
          if (isRefused) refusal = refusalOf(reason.detail, reason.logs)
        }
        return { isTaken, refusal: isTaken ? null : refusal }
      },
    )
