import type { Address } from "@launch-registry/domain/solana/Address"
import { type ConfusableReason, type ConfusableToken, CONFUSABLE_MAX } from "@launch-registry/domain/trust/TokenTrust"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { namedRows, shownLabels } from "./NamedTokens.ts"

/** Tokens that are read for each key and reason. */
const EACH_MAX = 2

const REASONS: ReadonlyArray<ConfusableReason> = ["verified", "older", "larger"]

interface FoundRow {
  readonly subject: string
  readonly field: "name" | "symbol"
  readonly reason: ConfusableReason
  readonly mintAddress: string
}

/**
 * Tokens whose name or symbol is compared by the same key, which are verified while the one that is asked about is not, were launched in
 * an earlier slot, or had at least about twice its volume. Each is the beginning of an index: however many share a key,
 * {@link EACH_MAX} are read. The order names the columns of one index each, and the equality of its first is one that the planner
 * cannot drop from it.
 */
export const confusableRows = (sql: SqlClient, mints: ReadonlyArray<string>) => sql<FoundRow>`
  select s.mint_address as subject, s.field, found.reason, found.mint_address
  from token_skeletons s
  cross join lateral (
    (select 'verified' as reason, o.mint_address from token_skeletons o
      where not s.is_verified and o.is_verified and o.skeleton = any(array[s.skeleton]) and o.field = s.field
      order by o.skeleton, o.field, o.mint_address limit ${EACH_MAX})
    union all
    (select 'older', o.mint_address from token_skeletons o
      where o.skeleton = any(array[s.skeleton]) and o.field = s.field and (o.is_claim, o.since) < (s.is_claim, s.since)
      order by o.skeleton, o.field, o.is_claim, o.since, o.mint_address limit ${EACH_MAX})
    union all
    (select 'larger', o.mint_address from token_skeletons o
      where o.skeleton = any(array[s.skeleton]) and o.field = s.field and o.quote_mint = s.quote_mint
        and o.size is not null and o.size > coalesce(s.size, -1)
      order by o.skeleton, o.field, o.quote_mint, o.size desc, o.mint_address limit ${EACH_MAX})
  ) found
  where s.mint_address = any(${mints}::text[])`

/** Confusable tokens by mint; a mint that has not been compared yet is absent, and while not all have been, all are. */
export const confusableTokens = (sql: SqlClient) =>
  Effect.fnUntraced(function* (mints: ReadonlyArray<string>) {
    const compared = yield* sql<{ readonly mintAddress: string }>`
      select distinct s.mint_address from skeleton_progress p
      join token_skeletons s on s.mint_address = any(${mints}::text[]) where p.is_compared`
    const subjects = compared.map(({ mintAddress }) => mintAddress)
    if (subjects.length === 0) return new Map<string, ReadonlyArray<ConfusableToken>>()
    const rows = yield* confusableRows(sql, subjects)
    const others = [...new Set(rows.map(({ mintAddress }) => mintAddress))]
    const named = others.length === 0 ? [] : yield* namedRows(sql, others)
    const labels = new Map(named.map((row) => [row.mintAddress, shownLabels(row)]))
    const bySubject = Map.groupBy(rows, ({ subject }) => subject)
    return new Map(
      subjects.map((subject): [string, ReadonlyArray<ConfusableToken>] => {
        const found = Map.groupBy(bySubject.get(subject) ?? [], ({ mintAddress }) => mintAddress)
        const tokens = [...found].flatMap(([mint, of]): ReadonlyArray<ConfusableToken> => {
          const label = labels.get(mint)
          // Deleted since.
          if (label === undefined) return []
          return [
            {
              ...{ mintAddress: mint as Address, ...label },
              fields: (["name", "symbol"] as const).filter((field) => of.some((row) => row.field === field)),
              reasons: REASONS.filter((reason) => of.some((row) => row.reason === reason)),
            },
          ]
        })
        const placeOf = ({ reasons }: ConfusableToken) => REASONS.indexOf(reasons[0]!)
        tokens.sort((a, b) => placeOf(a) - placeOf(b) || (a.mintAddress < b.mintAddress ? -1 : 1))
        return [subject, tokens.slice(0, CONFUSABLE_MAX)]
      }),
    )
  })
