import { type InvalidIssue, ISSUES_MAX } from "@launch-registry/domain/http/ErrorEnvelope"

/** The faults of a part of a request as they are answered: however many there are, the answer stays small. */
export const boundedIssues = (part: string, issues: ReadonlyArray<InvalidIssue>): ReadonlyArray<InvalidIssue> =>
  issues.length <= ISSUES_MAX
    ? issues
    : [...issues.slice(0, ISSUES_MAX), { path: part, message: `and ${issues.length - ISSUES_MAX} more faults` }]

/** The faults after which checking stopped: nobody knows how many more there are. */
export const firstIssues = (part: string, issues: ReadonlyArray<InvalidIssue>): ReadonlyArray<InvalidIssue> => [
  ...issues.slice(0, ISSUES_MAX),
  { path: part, message: "and more: the rest was not checked" },
]
