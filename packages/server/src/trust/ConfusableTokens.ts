import type { Address } from "@launch-registry/domain/solana/Address"
import { type ConfusableReason, type ConfusableToken, CONFUSABLE_MAX } from "@launch-registry/domain/trust/TokenTrust"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { anyKey } from "@launch-registry/postgres/AnyKey"
import { labelRows, shownLabels } from "./NamedTokens.ts"

/** Tokens that are read for each key and reason. */
const EACH_MAX = 2

const REASONS: ReadonlyArray<ConfusableReason> = ["verified", "older", "larger"]

interface FoundRow {
  readonly field: "name" | "symbol"
  readonly reason: ConfusableReason
  readonly mintAddress: string
  /** The lower, the more it matters among those of the same reason; a decimal number. */
  readonly place: string
}

/** A token that was compared; one that is confusable with none has one row, without any. */
type ComparedRow = { readonly subject: string } & (FoundRow | { readonly [Field in keyof FoundRow]: null })

/**
 * Tokens whose name or symbol is compared by the same key, which are verified while the one that is asked about is not, were launched in
 * an earlier slot, or had at least about twice its volume. Each is the beginning of an index: however many share a key,
 * {@link EACH_MAX} are read. The order names the columns of one index each, and the equality of its first is one that the planner
 * cannot drop from it.
 */
export const confusableRows = (sql: SqlClient, mints: ReadonlyArray<string>) => sql<ComparedRow>`
  select s.mint_address as subject, case when found.reason is not null then s.field end as field, found.reason,
    found.mint_address, found.place::text as place
  from server_progress p cross join token_skeletons s
  left join lateral (
    (select 'verified' as reason, o.mint_address, 0::numeric as place from token_skeletons o
      where not s.is_verified and o.is_verified and o.skeleton = any(array[s.skeleton]) and o.field = s.field
      order by o.skeleton, o.field, o.mint_address limit ${EACH_MAX})
    union all
    (select 'older', o.mint_address, o.since::numeric + case when o.is_claim then 1e15 else 0 end from token_skeletons o
      where o.skeleton = any(array[s.skeleton]) and o.field = s.field and (o.is_claim, o.since) < (s.is_claim, s.since)
      order by o.skeleton, o.field, o.is_claim, o.since, o.mint_address limit ${EACH_MAX})
    union all
    (select 'larger', o.mint_address, -o.size from token_skeletons o
      where o.skeleton = any(array[s.skeleton]) and o.field = s.field and o.quote_mint = s.quote_mint
        and o.size is not null and o.size > coalesce(s.size, -1)
      order by o.skeleton, o.field, o.quote_mint, o.size desc, o.mint_address limit ${EACH_MAX})
  ) found on true
  where p.name = 'names' and p.is_compared and s.mint_address = ${anyKey(sql, mints, "text")}`

/**
 * The mints that an answer names: the first for each reason, then the second, up to {@link CONFUSABLE_MAX}. So who launches many
 * lookalikes of one reason does not displace those of another. Verified ones come first, then the oldest, then the largest.
 */
const leading = (rows: ReadonlyArray<FoundRow>): ReadonlyArray<string> => {
  const ranked = REASONS.map((reason) => [
    ...new Set(
      rows
        .filter((row) => row.reason === reason)
        .sort((a, b) => Number(a.place) - Number(b.place) || (a.mintAddress < b.mintAddress ? -1 : 1))
        .map(({ mintAddress }) => mintAddress),
    ),
  ])
  const turns = Array.from({ length: Math.max(...ranked.map(({ length }) => length)) }, (_, nth) =>
    ranked.flatMap((mints) => mints.slice(nth, nth + 1)),
  )
  const chosen = new Set([...new Set(turns.flat())].slice(0, CONFUSABLE_MAX))
  return [...new Set(ranked.flat())].filter((mint) => chosen.has(mint))
}

/** Confusable tokens by mint; a mint that has not been compared yet is absent, and while not all have been, all are. */
export const confusableTokens = (sql: SqlClient) =>
  Effect.fnUntraced(function* (mints: ReadonlyArray<string>) {
    const compared = yield* confusableRows(sql, mints)
    const bySubject = Map.groupBy(compared, ({ subject }) => subject)
    const others = [...new Set(compared.flatMap(({ mintAddress }) => mintAddress ?? []))]
    const named = others.length === 0 ? [] : yield* labelRows(sql, others)
    const labels = new Map(named.map((row) => [row.mintAddress, shownLabels(row)]))
    return new Map(
      Array.from(bySubject, ([subject, rows]): [string, ReadonlyArray<ConfusableToken>] => {
        const of = rows.filter((row): row is { readonly subject: string } & FoundRow => row.mintAddress !== null)
        const found = Map.groupBy(of, ({ mintAddress }) => mintAddress)
        const tokens = leading(of).flatMap((mint): ReadonlyArray<ConfusableToken> => {
          const label = labels.get(mint)
          // Deleted since.
          if (label === undefined) return []
          const rows = found.get(mint)!
          return [
            {
              ...{ mintAddress: mint as Address, ...label },
              fields: (["name", "symbol"] as const).filter((field) => rows.some((row) => row.field === field)),
              reasons: REASONS.filter((reason) => rows.some((row) => row.reason === reason)),
            },
          ]
        })
        return [subject, tokens]
      }),
    )
  })
