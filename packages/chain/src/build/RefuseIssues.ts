import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect } from "effect"

/** Fails where there are any. */
export const refuseIssues = (issues: ReadonlyArray<InvalidIssue>): Effect.Effect<void, InvalidRequest> =>
  issues.length > 0 ? Effect.fail(new InvalidRequest({ issues })) : Effect.void
