import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import type { ClaimRow } from "../modules/FactRows.ts"
import { bigintArray, numericArray, textArray } from "../sql/ArrayParameter.ts"
import type { LogEntry } from "./InboxStatements.ts"

/** SQL of `fee_claims`, whose rows are inserted and deleted, and of their sums, `fee_totals`. */
export const claimStatements = (sql: SqlClient) => {
  const texts = (rows: ReadonlyArray<ClaimRow>, of: (row: ClaimRow) => string | null) =>
    textArray(rows.map((row) => of(row) ?? ""))

  /** Adds the claims of `from` to the sums. */
  const addTotals = (from: Fragment) => sql`
    insert into fee_totals as t (wallet, quote_mint, kind, claims, quote_amount)
    select wallet, quote_mint, kind, count(*), sum(quote_amount) from ${from} group by wallet, quote_mint, kind
    on conflict (wallet, quote_mint, kind) do update set
      claims = t.claims + excluded.claims, quote_amount = t.quote_amount + excluded.quote_amount`

  return {
    /** Those that are there already count once. */
    insert: (rows: ReadonlyArray<ClaimRow>) => sql`
      with inserted as (
        insert into fee_claims (ordinal, signature, kind, party, venue, pool, wallet, base_mint, quote_mint, position,
          base_amount, quote_amount, block_time)
        select ordinal, signature, kind, nullif(party, ''), venue, pool, wallet, nullif(base_mint, ''), quote_mint,
          nullif(position, ''), base_amount, quote_amount, to_timestamp(block_time)
        from unnest(
          ${bigintArray(rows.map(({ ordinal }) => ordinal))}::bigint[], ${texts(rows, ({ signature }) => signature)}::text[],
          ${texts(rows, ({ kind }) => kind)}::text[], ${texts(rows, ({ party }) => party)}::text[],
          ${texts(rows, ({ venue }) => venue)}::text[], ${texts(rows, ({ pool }) => pool)}::text[],
          ${texts(rows, ({ wallet }) => wallet)}::text[], ${texts(rows, ({ baseMint }) => baseMint)}::text[],
          ${texts(rows, ({ quoteMint }) => quoteMint)}::text[], ${texts(rows, ({ position }) => position)}::text[],
          ${numericArray(rows.map(({ baseAmount }) => baseAmount))}::numeric[],
          ${numericArray(rows.map(({ quoteAmount }) => quoteAmount))}::numeric[],
          ${bigintArray(rows.map(({ blockTime }) => BigInt(blockTime)))}::bigint[]
        ) as c(ordinal, signature, kind, party, venue, pool, wallet, base_mint, quote_mint, position, base_amount,
          quote_amount, block_time)
        on conflict (ordinal, signature) do nothing
        returning wallet, quote_mint, kind, quote_amount
      ) ${addTotals(sql`inserted`)}`,

    /** Deletes the claims of these transactions, found slot by slot, and sums of none. */
    deleteOf: (entries: ReadonlyArray<LogEntry>) => sql`
      with gone as (
        delete from fee_claims c
        using (
          select f.ordinal, f.signature
          from unnest(
            ${entries.map(({ slot }) => firstOrdinalOf(slot))}::bigint[],
            ${entries.map(({ slot }) => firstOrdinalOf(slot + 1n))}::bigint[],
            ${entries.map(({ signature }) => signature)}::text[]
          ) as d(first, beyond, signature)
          cross join lateral (
            select ordinal, signature from fee_claims
            where ordinal >= d.first and ordinal < d.beyond and signature = d.signature offset 0
          ) f
        ) d
        where c.ordinal = d.ordinal and c.signature = d.signature
        returning c.wallet, c.quote_mint, c.kind, c.quote_amount
      ), sums as (
        select wallet, quote_mint, kind, count(*) as claims, sum(quote_amount) as quote_amount
        from gone group by wallet, quote_mint, kind
      ), emptied as (
        delete from fee_totals t using sums s
        where t.wallet = s.wallet and t.quote_mint = s.quote_mint and t.kind = s.kind and t.claims = s.claims
      )
      update fee_totals t set claims = t.claims - s.claims, quote_amount = t.quote_amount - s.quote_amount
      from sums s
      where t.wallet = s.wallet and t.quote_mint = s.quote_mint and t.kind = s.kind and t.claims > s.claims`,

    /** Computes the sums that these claims are part of again. */
    recomputeTotals: (rows: ReadonlyArray<ClaimRow>) => {
      const keys = sql`(
        select distinct * from unnest(${texts(rows, ({ wallet }) => wallet)}::text[],
          ${texts(rows, ({ quoteMint }) => quoteMint)}::text[], ${texts(rows, ({ kind }) => kind)}::text[]
        ) as k(wallet, quote_mint, kind)
      ) k`
      return Effect.andThen(
        sql`
          delete from fee_totals t using ${keys}
          where t.wallet = k.wallet and t.quote_mint = k.quote_mint and t.kind = k.kind`,
        addTotals(sql`(select c.* from fee_claims c join ${keys} using (wallet, quote_mint, kind)) c`),
      )
    },

    /** Adds the claims from one ordinal up to before another to the sums. */
    addClaimsOf: (first: bigint, beyond: bigint) =>
      addTotals(sql`(select * from fee_claims where ordinal >= ${first} and ordinal < ${beyond}) copied`),
  }
}
