import { Schema } from "effect"

/** An operator cancelled the job that runs. */
export class JobCancelled extends Schema.TaggedError<JobCancelled>()("JobCancelled", {}) {}
