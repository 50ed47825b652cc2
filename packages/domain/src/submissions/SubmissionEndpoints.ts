import { HttpApiEndpoint, HttpApiSchema } from "effect/http-api"
import { AlreadyExists } from "../http/AlreadyExists.ts"
import { declaring, describe, revalidated } from "../http/Describe.ts"
import { Data } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { NotFound } from "../http/NotFound.ts"
import { withHeaders } from "../http/OpenApiOperation.ts"
import { InsufficientFunds } from "../solana/InsufficientFunds.ts"
import { Signature } from "../solana/Signature.ts"
import { ChainContradicted } from "../tokens/TokenErrors.ts"
import { Submission, SubmitRequest } from "./Submission.ts"
import { BlockhashNotValid, SimulationFailed, TransactionNotSigned } from "./SubmissionErrors.ts"

/** Endpoints of `/api/launch` for signed transactions. */
export const submissionEndpoints = [
  HttpApiEndpoint.post("submit", "/submit", {
    headers: idempotencyHeaders,
    payload: SubmitRequest,
    success: Data(Submission).pipe(HttpApiSchema.status(202)),
    error: [
      TransactionNotSigned.response,
      BlockhashNotValid.response,
      InsufficientFunds.response,
      SimulationFailed.response,
      NotConfigured.response,
      ChainContradicted.response,
      AlreadyExists.response,
    ],
  })
    .middleware(IdempotencyGuard)
    .annotateMerge(
      describe(
        "Submit a signed transaction",
        "Checks and simulates a signed transaction, stores it, and sends the same bytes to every RPC endpoint in use until it is confirmed or has expired. Answered once it is stored and was sent: GET /api/launch/submissions/{signature} and `submissions` of GET /api/stream tell how it goes on. While no endpoint is available it is stored all the same, and sent as soon as one is. The same transaction again answers the submission that there is. `record` makes a transaction record of the trade.",
      ),
    )
    .annotateMerge(declaring(withHeaders([202], { location: "Path of the submission" }))),
  HttpApiEndpoint.get("submission", "/submissions/:signature", {
    params: { signature: field(Signature, "Signature of the submitted transaction") },
    success: Data(Submission),
    error: [NotFound.response],
  })
    .annotateMerge(
      describe(
        "Read a submission",
        "Where a submitted transaction is: its state, slot, and the error of its program in words. Not cached until the state is final.",
      ),
    )
    .annotateMerge(revalidated),
] as const
