import { answered } from "@launch-registry/client"
import { brand } from "../../brand.ts"
import { registry } from "../registry/Connection.ts"
import { type Row, rowOfLaunch, rowOfToken } from "./Row.ts"

export type BoardView = "new" | "rising" | "progress" | "graduated"

const PAGE_ROWS = 40
const SORTS = { new: "newest", progress: "progress", graduated: "graduated" } as const
const INCLUDE = "market,trust"

/** A page of a board's list. */
export interface BoardList {
  readonly rows: ReadonlyArray<Row>
  readonly nextCursor: string | null
}

/** Fails with a `RegistryError`. */
export const readList = async (
  view: BoardView,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<BoardList> => {
  const { launch, tokens } = registry
  const request = { include: INCLUDE, limit: PAGE_ROWS }
  if (view === "rising") {
    const { data } = answered(await tokens.popular(request, { signal }))
    return { rows: data.map(rowOfToken), nextCursor: null }
  }
  const registered = brand.listsOthers ? "any" : "true"
  const { data, pagination } = answered(
    await launch.pools({ ...request, sort: SORTS[view], registered, cursor }, { signal }),
  )
  return { rows: data.map(rowOfLaunch), nextCursor: pagination?.nextCursor ?? null }
}

/** Registered tokens for a term. */
export const search = async (term: string, signal: AbortSignal): Promise<ReadonlyArray<Row>> => {
  const { data } = answered(await registry.tokens.search({ q: term, include: INCLUDE, limit: 30 }, { signal }))
  return data.map(rowOfToken)
}
