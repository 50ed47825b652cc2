import { cursorOf, numberPart, type Position, timePart, uuidPart } from "@launch-registry/http/answers/Cursor"
import { RANK_MAX } from "./SearchRanks.ts"
import type { TokenRow } from "./TokenRow.ts"

/** Position of a token in search results. */
export interface FoundPosition extends Position {
  readonly rank: number
}

/** Tokens found, in order. */
export interface FoundTokens {
  readonly rows: ReadonlyArray<TokenRow & { readonly rank: number }>
  /** Where the search ended before it had as many as were asked for: more may follow. */
  readonly end: FoundPosition | undefined
  /** Rows of the offset that are still to be skipped after `end`. */
  readonly toSkip: number
}

const foundTokens = cursorOf<FoundPosition>({ rank: numberPart(RANK_MAX), createdAt: timePart, id: uuidPart })

/** Cursors of a search: of a term, which determines the ranks, and of filters. */
export const foundFor = (term: string, query: object) => foundTokens("tokens found", { ...query, q: term })
