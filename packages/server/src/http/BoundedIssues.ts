import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"

/** So many faults are named one by one; the others are counted. */
const ISSUES_MAX = 100

/** The faults of a part of a request as they are answered: however many there are, the answer stays small. */
export const boundedIssues = (part: string, issues: ReadonlyArray<InvalidIssue>): ReadonlyArray<InvalidIssue> =>
  issues.length <= ISSUES_MAX
    ? issues
    : [...issues.slice(0, ISSUES_MAX), { path: part, message: `and ${issues.length - ISSUES_MAX} more faults` }]
