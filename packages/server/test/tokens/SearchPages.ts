import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isAddress } from "@launch-registry/domain/solana/AddressText"
import type { FoundPosition } from "../../src/tokens/FoundTokens.ts"
import { type SearchBounds, searchTokens } from "../../src/tokens/SearchTokens.ts"

/** Filters that both ways of searching take. */
export interface SearchScope {
  readonly owner?: string
  readonly tag?: string
  readonly launchpad?: "launchpad_a" | "launchpad_b"
  readonly active?: "true" | "false"
  readonly startDate?: string
  readonly endDate?: string
  readonly verified?: "true" | "false"
}

/** Ids of all matches in order, by reading every token: what a search has to find. */
export const expectedIds = Effect.fn(function* (term: string, scope: SearchScope) {
  const sql = yield* SqlClient
  const { active, endDate, launchpad, owner, startDate, tag, verified } = scope
  const rows = yield* sql<{ readonly id: string }>`
    select id from (
      select id, created_at, case
        when ${isAddress(term)}::boolean and mint_address = ${term} then 0
        when lower(symbol) = term then ${isAddress(term) ? 1 : 0}::int
        when starts_with(lower(symbol), term) then 1
        when starts_with(lower(name), term) then 2
        when strpos(lower(symbol), term) > 0 or strpos(lower(name), term) > 0 or strpos(lower(description), term) > 0
          then 3
        end as rank
      from tokens, lower(${term}::text) term
      where deleted_at is null
        and owner = coalesce(${owner ?? null}::text, owner)
        and launchpad = coalesce(${launchpad ?? null}::text, launchpad)
        and active = coalesce(${active ?? null}::boolean, active)
        and verified = coalesce(${verified ?? null}::boolean, verified)
        and created_at >= coalesce(${startDate ?? null}::timestamptz, created_at)
        and created_at <= coalesce(${endDate ?? null}::timestamptz, created_at)
        and (${tag ?? null}::text is null or id in (select token_id from token_tags where tag = ${tag ?? null}))
    ) ranked
    where rank is not null
    order by rank, created_at desc, id desc`
  return rows.map(({ id }) => id)
})

/** Ids of the pages of a search from an offset on, until it ends or there are `atLeast` so many. */
export const pagedIds = Effect.fn(function* (
  term: string,
  scope: SearchScope,
  {
    atLeast = Number.POSITIVE_INFINITY,
    bounds,
    limit,
    offset = 0,
  }: {
    readonly limit: number
    readonly atLeast?: number
    readonly bounds?: SearchBounds
    readonly offset?: number
  },
) {
  const sql = yield* SqlClient
  const pages: Array<ReadonlyArray<string>> = []
  let count = 0
  let left = offset
  for (let after: FoundPosition | undefined; count < atLeast;) {
    // One more than the page has, as the list does.
    const range = { after, limit: limit + 1, offset: left }
    const { end, rows, toSkip } = yield* searchTokens(sql, term, scope as never, range, bounds)
    const page = rows.slice(0, limit)
    pages.push(page.map(({ id }) => id as string))
    count += page.length
    left = toSkip
    const last = page.at(-1)
    after = rows.length > limit ? { rank: last!.rank, createdAt: last!.createdAt, id: last!.id as string } : end
    if (after === undefined) break
  }
  return pages
})
