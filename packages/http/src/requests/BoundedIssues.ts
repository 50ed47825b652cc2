import { type InvalidIssue, ISSUES_MAX } from "@launch-registry/domain/http/ErrorEnvelope"

/** Limits the issues in a response. */
export const boundedIssues = (part: string, issues: ReadonlyArray<InvalidIssue>): ReadonlyArray<InvalidIssue> =>
  issues.length <= ISSUES_MAX
    ? issues
    : [...issues.slice(0, ISSUES_MAX), { path: part, message: `and ${issues.length - ISSUES_MAX} more issues` }]

/** The issues up to which validation was run; the number of further ones is unknown. */
export const firstIssues = (part: string, issues: ReadonlyArray<InvalidIssue>): ReadonlyArray<InvalidIssue> => [
  ...issues.slice(0, ISSUES_MAX),
  { path: part, message: "and more: the rest was not checked" },
]
