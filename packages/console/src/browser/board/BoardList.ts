import { read, registry } from "../Registry.ts"
import { type BoardView, type Row, rowOfLaunch, rowOfToken } from "./BoardState.ts"

const PAGE_ROWS = 100
const SORTS = { new: "newest", progress: "progress", graduated: "graduated" } as const

/** A page of a board's list. */
export interface BoardList {
  readonly rows: ReadonlyArray<Row>
  readonly nextCursor: string | null
}

export const readList = async (view: BoardView, cursor?: string, signal?: AbortSignal): Promise<BoardList> => {
  const { launch, tokens } = registry
  const request = { include: "market", limit: PAGE_ROWS }
  const options = signal === undefined ? {} : { signal }
  if (view === "rising") {
    const { data } = await read(tokens.popular(request, options))
    return { rows: data.map(rowOfToken), nextCursor: null }
  }
  const sorted = { ...request, sort: SORTS[view], registered: "any", cursor } as const
  const { data, pagination } = await read(launch.pools(sorted, options))
  return { rows: data.map(rowOfLaunch), nextCursor: pagination?.nextCursor ?? null }
}
