import type { Commit } from "./Commit.ts"

/** A position in the indexer's commits: after change `index` of a commit; `Infinity` means after the whole commit. */
export interface ChangePosition {
  /** `index_changes.id`; 0 is the start. */
  readonly commit: number
  readonly index: number
}

export const afterCommit = (commit: number): ChangePosition => ({ commit, index: Number.POSITIVE_INFINITY })

/** The smallest id that the next commit to read from a position may have. */
export const nextCommit = ({ commit, index }: ChangePosition): number =>
  index === Number.POSITIVE_INFINITY ? commit + 1 : commit

/** Whether a commit is what comes next at a position: the rest of the same one, or the one after it. */
export const continuesAt = ({ commit, index }: ChangePosition, { after, id }: Pick<Commit, "after" | "id">): boolean =>
  index === Number.POSITIVE_INFINITY ? after === commit : id === commit

/** The `id` of server-sent events: `<commit>-<index>`, or `<commit>` after the whole commit. */
export const idOf = ({ commit, index }: ChangePosition): string =>
  index === Number.POSITIVE_INFINITY ? String(commit) : `${commit}-${index}`

/** The position of a valid id. */
export const positionOf = (id: string): ChangePosition => {
  const [commit = "", index] = id.split("-")
  return index === undefined ? afterCommit(Number(commit)) : { commit: Number(commit), index: Number(index) }
}
