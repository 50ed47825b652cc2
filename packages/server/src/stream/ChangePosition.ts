/** A place in what the indexer committed: after change `index` of a commit; `Infinity` is after all of it. */
export interface ChangePosition {
  /** `index_changes.id`; 0 is before everything. */
  readonly commit: number
  readonly index: number
}

export const afterCommit = (commit: number): ChangePosition => ({ commit, index: Number.POSITIVE_INFINITY })

/** The commit that is read next from a position. */
export const nextCommit = ({ commit, index }: ChangePosition): number =>
  index === Number.POSITIVE_INFINITY ? commit + 1 : commit

/** The `id` of server-sent events: `<commit>-<index>`, and `<commit>` after all of it. */
export const idOf = ({ commit, index }: ChangePosition): string =>
  index === Number.POSITIVE_INFINITY ? String(commit) : `${commit}-${index}`

/** The position that a well-formed id stands for. */
export const positionOf = (id: string): ChangePosition => {
  const [commit = "", index] = id.split("-")
  return index === undefined ? afterCommit(Number(commit)) : { commit: Number(commit), index: Number(index) }
}
