import { confusableKeys } from "@launch-registry/domain/text/ConfusableKeys"
import type { ChainChange } from "@launch-registry/domain/stream/ChainChange"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { lockLaunches } from "../markets/LaunchLock.ts"
import { takeTurn } from "../system/Turn.ts"
import { type NamedRow, namedRows, shownLabels, SIZE, SIZE_SPAN, unlaunchedRow } from "./NamedTokens.ts"

/** Mints per step: the first until all have been compared once (steps follow one another, and requests run in between), the second afterwards. */
const [STEP_MINTS, IDLE_MINTS] = [100, 500]
/** Tokens whose size is compared each time: those that most wallets trade. */
const SIZED_TOKENS = 2_000
const SIZE_EVERY_SECONDS = 10

/** A row of `token_skeletons`. */
interface SkeletonRow {
  readonly mintAddress: string
  readonly field: "name" | "symbol"
  readonly skeleton: string
  /** Registered, and not launched as far as it is known. */
  readonly isClaim: boolean
  /** Slot of the launch; of a claim, when it was registered, in milliseconds. */
  readonly since: string
  readonly quoteMint: string | null
  readonly size: number | null
  readonly isVerified: boolean
}

const rowsOf = (row: NamedRow): ReadonlyArray<SkeletonRow> => {
  const { name, symbol } = shownLabels(row)
  const isClaim = row.createdSlot === null
  const since = String(row.createdSlot ?? row.createdAt!.getTime())
  const { isVerified, mintAddress, quoteMint, size } = row
  return [["name", name] as const, ["symbol", symbol] as const].flatMap(([field, text]) =>
    confusableKeys(text).map((skeleton) => ({
      mintAddress,
      field,
      skeleton,
      isClaim,
      since,
      quoteMint,
      size,
      isVerified,
    })),
  )
}

const textOf = ({ field, isClaim, isVerified, mintAddress, quoteMint, since, size, skeleton }: SkeletonRow) =>
  JSON.stringify([mintAddress, field, skeleton, isClaim, since, quoteMint, size, isVerified])

const COLUMNS = "mint_address, field, skeleton, is_claim, since, quote_mint, size, is_verified"

/**
 * SQL of `token_skeletons`: what names and symbols are compared by. A launch is known by what it is called on chain and by its slot, which
 * nobody can claim; what is only registered, by its registration, and comes after all launches. Trades that are counted emit no
 * change, and other versions write no rows: a comparison of all mints, in steps, finds what differs.
 */
export const tokenSkeletons = (sql: SqlClient) => {
  const wantedOf = (mints: ReadonlyArray<string>) => Effect.map(namedRows(sql, mints), (rows) => rows.flatMap(rowsOf))

  /** Writes what differs. Within a transaction that nothing else can change these mints in. */
  const derive = (mints: ReadonlyArray<string>) =>
    mints.length === 0 ? Effect.void : Effect.flatMap(wantedOf(mints), (rows) => write(mints, rows))

  /** The rows of these mints, and no others of theirs. */
  const write = Effect.fnUntraced(function* (mints: ReadonlyArray<string>, rows: ReadonlyArray<SkeletonRow>) {
    const wanted = rows.map(({ isClaim, isVerified, mintAddress, quoteMint, ...row }) => ({
      ...{ ...row, mint_address: mintAddress, is_claim: isClaim, quote_mint: quoteMint, is_verified: isVerified },
    }))
    yield* sql`
      with wanted as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(wanted)}::text::jsonb) as d (mint_address text, field text,
          skeleton text, is_claim boolean, since bigint, quote_mint text, size smallint, is_verified boolean)
      ), gone as (
        delete from token_skeletons s where s.mint_address = any(${mints}::text[])
          and not exists (select from wanted d where (d.mint_address, d.field, d.skeleton) = (s.mint_address, s.field, s.skeleton))
      )
      insert into token_skeletons as s (${sql.literal(COLUMNS)})
      select ${sql.literal(COLUMNS)} from wanted order by mint_address, field, skeleton
      on conflict (mint_address, field, skeleton) do update set
        (is_claim, since, quote_mint, size, is_verified)
          = (excluded.is_claim, excluded.since, excluded.quote_mint, excluded.size, excluded.is_verified)
      where (s.is_claim, s.since, s.quote_mint, s.size, s.is_verified)
        is distinct from (excluded.is_claim, excluded.since, excluded.quote_mint, excluded.size, excluded.is_verified)`
  })

  /** Those of these mints whose rows differ from what they are derived from. No locks. */
  const differing = Effect.fnUntraced(function* (mints: ReadonlyArray<string>) {
    const wanted = Map.groupBy(yield* wantedOf(mints), ({ mintAddress }) => mintAddress)
    const stored = Map.groupBy(
      yield* sql<SkeletonRow>`
        select mint_address, field, skeleton, is_claim, since::text as since, quote_mint, size, is_verified
        from token_skeletons where mint_address = any(${mints}::text[])`,
      ({ mintAddress }) => mintAddress,
    )
    const said = (rows: ReadonlyArray<SkeletonRow> = []) => rows.map(textOf).sort().join("\n")
    return mints.filter((mint) => said(wanted.get(mint)) !== said(stored.get(mint)))
  })

  /** Compares the next mints: registered, launched, or with rows here. Returns whether all have been compared once. */
  const step = Effect.gen(function* () {
    const [progress] = yield* sql<{ readonly comparedTo: string; readonly isCompared: boolean }>`
      select compared_to, is_compared from server_progress where name = 'names' for update`
    if (progress === undefined) return true
    const { comparedTo } = progress
    const most = progress.isCompared ? IDLE_MINTS : STEP_MINTS
    const rows = yield* sql<{ readonly mint: string }>`
      (select base_mint as mint from dbc_pools where base_mint > ${comparedTo} order by base_mint limit ${most})
      union
      (select mint_address from tokens where mint_address > ${comparedTo} and deleted_at is null
        order by mint_address limit ${most})
      union
      (select mint_address from token_skeletons where mint_address > ${comparedTo} order by mint_address limit ${most * 4})
      order by mint limit ${most}`
    const mints = rows.map(({ mint }) => mint)
    const differ = yield* differing(mints)
    if (differ.length > 0) {
      // No registration is in flight: what they said before is committed, and later ones write rows of their own.
      yield* lockLaunches(sql)
      yield* derive(differ)
    }
    const isEnd = mints.length < most
    const isCompared = progress.isCompared || isEnd
    yield* sql`
      update server_progress set compared_to = ${isEnd ? "" : mints.at(-1)!}, is_compared = ${isCompared} where name = 'names'`
    return isCompared
  }).pipe(sql.withTransaction)

  /** Compares the sizes of the tokens that most wallets trade, every ten seconds by all processes together. */
  const resize = Effect.gen(function* () {
    if (!(yield* takeTurn(sql, "sizes", SIZE_EVERY_SECONDS))) return
    // Where statistics are old, or many could change, the planner would read the whole table, or compare each row with each mint.
    yield* sql`select set_config('enable_seqscan', 'off', true), set_config('enable_hashjoin', 'off', true),
      set_config('enable_mergejoin', 'off', true)`
    yield* sql`
      with most as materialized (
        select w.base_mint, ${sql.literal(SIZE)} as size from trading_windows w
        where w.span = any(array[${SIZE_SPAN}]::text[]) and w.traders > 0
        order by w.span, w.traders desc, w.quote_volume desc limit ${SIZED_TOKENS}
      ), changed as materialized (
        select s.*, m.size from most m cross join lateral (
          select mint_address, field, skeleton from token_skeletons s
          where s.mint_address = m.base_mint and s.size is distinct from m.size and s.quote_mint is not null
          for update skip locked
        ) s
      )
      update token_skeletons s set size = c.size from changed c
      where (s.mint_address, s.field, s.skeleton) = (c.mint_address, c.field, c.skeleton)`
  }).pipe(sql.withTransaction)

  const startOver = sql`update server_progress set compared_to = '', is_compared = false where name = 'names'`

  return {
    derive,
    /** The same for a registered token of which the transaction knows no launch. */
    deriveUnlaunched: (token: Parameters<typeof unlaunchedRow>[0]) =>
      write([token.mintAddress], rowsOf(unlaunchedRow(token))),
    startOver,
    step,
    resize,
    /** Within the transaction that applies these changes to the registry. */
    follow: (changes: ReadonlyArray<ChainChange>) =>
      derive([
        ...new Set(
          changes.flatMap((change) =>
            change.type === "token" ? [change.mintAddress] : change.type === "revert" ? change.mintAddresses : [],
          ),
        ),
      ]),
  }
}
