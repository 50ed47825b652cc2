import { Submission } from "@launch-registry/domain/submissions/Submission"
import { columnsOf, picking, type RowOf } from "@launch-registry/postgres/SchemaRow"

/** A submission as the driver gives it; what the columns hold was checked when it was written. */
export type SubmissionRow = RowOf<Submission>

/** Columns of a submission, of table alias `s`. */
export const SUBMISSION_COLUMNS = columnsOf("s", Object.keys(Submission.fields), {
  feePayer: "s.signers[1]",
  isFinal: "(s.settled_at is not null)",
  slot: "s.slot::text",
  lastValidBlockHeight: "s.last_valid_block_height::text",
})

/** Rows with further columns are picked from. */
export const toSubmission = picking<Submission>(Submission.fields)
