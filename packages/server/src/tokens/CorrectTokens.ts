import type { PgClient } from "@effect/sql-pg/PgClient"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { UuidV7 } from "@launch-registry/postgres/UuidV7"
import { columnsOf } from "@launch-registry/postgres/SchemaRow"
import { builtLaunches, type BuiltLaunchRow, builtTexts, TOKEN_TEXTS, type TokenText } from "./BuiltLaunch.ts"
import {
  type ChainFactsRow,
  chainColumns,
  chainConfig,
  CONFIG_CLAIMS,
  selectChainFacts,
  TOKEN_CLAIMS,
} from "./ChainFacts.ts"
import { fromDbcConfig } from "./TokenConfigRow.ts"
import type { StoredTokenRow } from "./TokenRow.ts"

/** Page size when all tokens are compared. */
const PAGE = 500

const CLAIMS = [...TOKEN_CLAIMS, "quoteMint", ...CONFIG_CLAIMS] as const
type Claim = (typeof CLAIMS)[number]

/** Fields of a token that the chain may contradict, by column; those of its configuration only if they were sent. */
type Claims = { readonly [Field in Claim]: string | number | null }

type RegisteredRow = Claims &
  Pick<StoredTokenRow, "id" | "mintAddress" | "pool" | "config" | TokenText> & {
    readonly hasDbcConfig: boolean | null
    readonly claimed: Partial<Claims> | null
  }

const REGISTERED_COLUMNS = [
  columnsOf("t", ["id", "mintAddress", ...TOKEN_CLAIMS, "pool", "config", "claimed", ...TOKEN_TEXTS]),
  columnsOf("c", ["quoteMint", "hasDbcConfig", ...CONFIG_CLAIMS]),
].join(", ")

const pick = (fields: ReadonlyArray<Claim>, claims: Partial<Claims>): Partial<Claims> =>
  Object.fromEntries(fields.flatMap((field) => (field in claims ? [[field, claims[field]]] : [])))

/** Values on chain; of a configuration only fields that were sent. */
const chainClaims = (row: RegisteredRow, facts: ChainFactsRow): Partial<Claims> => ({
  ...chainColumns(facts),
  quoteMint: facts.quoteMint,
  ...pick(
    CONFIG_CLAIMS.filter((field) => row[field] !== null),
    chainConfig(facts),
  ),
})

const changedClaims = (row: RegisteredRow, after: Partial<Claims>): ReadonlyArray<Claim> =>
  CLAIMS.filter((field) => after[field] !== undefined && after[field] !== row[field])

/** The claims that were sent: an absent configuration field may have been filled since, so it is not restored. */
const sentClaims = (claimed: Partial<Claims>): Partial<Claims> =>
  pick(
    CLAIMS.filter((field) => claimed[field] !== null || !(CONFIG_CLAIMS as ReadonlyArray<Claim>).includes(field)),
    claimed,
  )

/**
 * Corrects registered tokens to the facts on chain, and restores what clients had claimed when the launch is rolled
 * back. Every correction is recorded in `token_corrections`.
 */
export const correctTokens = (sql: SqlClient, json: PgClient["json"]) => {
  const ids = new UuidV7()

  const setQuoteMint = (id: string, quoteMint: Claims["quoteMint"]) => sql`
    insert into token_dbc_configs (token_id, quote_mint, has_dbc_config) values (${id}::uuid, ${quoteMint}, false)
    on conflict (token_id) do update set quote_mint = excluded.quote_mint`

  /** Writes the differences between `after` and the row. Returns whether there were any. */
  const write = Effect.fnUntraced(function* (
    row: RegisteredRow,
    after: Partial<Claims>,
    by: "chain" | "rollback",
    pool: string,
    now: Date,
  ) {
    const changed = changedClaims(row, after)
    if (changed.length === 0) return false
    const before = pick(changed, row)
    const written = pick(changed, after)
    yield* sql`insert into token_corrections ${sql.insert({
      ...{ id: ids.next(now.getTime()), tokenId: row.id, mintAddress: row.mintAddress, correctedAt: now },
      ...{ correctedBy: by, pool, before: json(before), after: json(written) },
    })}`
    if (written.quoteMint !== undefined) yield* setQuoteMint(row.id, written.quoteMint)
    const columns = pick(TOKEN_CLAIMS, written)
    // What was verified had another name.
    const renamed = written.name !== undefined || written.symbol !== undefined ? { verified: false } : {}
    if (Object.keys(columns).length > 0)
      yield* sql`update tokens set ${sql.update({ ...columns, ...renamed })} where id = ${row.id}::uuid`
    const ofConfig = pick(CONFIG_CLAIMS, written)
    if (Object.keys(ofConfig).length > 0)
      yield* sql`update token_dbc_configs set ${sql.update(ofConfig)} where token_id = ${row.id}::uuid`
    yield* Effect.logInfo("Token corrected").pipe(
      Effect.annotateLogs({ token: row.id, mint: row.mintAddress, by, fields: changed.join(", ") }),
    )
    return true
  })

  /** Fills empty fields from what was sent to the launch endpoints. */
  const fill = Effect.fnUntraced(function* (row: RegisteredRow, built: BuiltLaunchRow) {
    const texts = Object.entries(builtTexts(built)).filter(([field]) => row[field as TokenText] === "")
    if (texts.length > 0)
      yield* sql`update tokens set ${sql.update(Object.fromEntries(texts))} where id = ${row.id}::uuid`
    if (built.dbcConfig === null || row.hasDbcConfig === true) return texts.length > 0
    const columns = fromDbcConfig(built.dbcConfig, json)
    yield* sql`update token_dbc_configs set ${sql.update(columns)} where token_id = ${row.id}::uuid`
    return true
  })

  const toChain = Effect.fnUntraced(function* (
    row: RegisteredRow,
    facts: ChainFactsRow,
    built: BuiltLaunchRow | undefined,
    now: Date,
  ) {
    const isNew = row.pool !== facts.pool
    const isCorrected = yield* write(row, chainClaims(row, facts), "chain", facts.pool, now)
    const isFilled = isNew && built !== undefined && (yield* fill(row, built))
    if (!isNew && !isCorrected && !isFilled) return
    const { config, pool } = facts
    const claimed = row.pool === null ? { claimed: json(pick(CLAIMS, row)) } : {}
    yield* sql`update tokens set ${sql.update({ pool, config, updatedAt: now, ...claimed })} where id = ${row.id}::uuid`
  })

  const toClaims = Effect.fnUntraced(function* (row: RegisteredRow, now: Date) {
    if (row.claimed !== null) yield* write(row, sentClaims(row.claimed), "rollback", row.pool!, now)
    yield* sql`
      update tokens set pool = null, config = null, claimed = null, updated_at = ${now} where id = ${row.id}::uuid`
  })

  const selectRegistered = (mints: ReadonlyArray<string>, isLocked: boolean) => sql<RegisteredRow>`
    select ${sql.literal(REGISTERED_COLUMNS)}
    from tokens t left join token_dbc_configs c on c.token_id = t.id
    where t.mint_address = any(${mints}::text[]) and t.deleted_at is null
    order by t.id ${isLocked ? sql`for update of t` : sql``}`

  const factsOf = (mints: ReadonlyArray<string>) =>
    Effect.map(selectChainFacts(sql, mints), (facts) => new Map(facts.map((one) => [one.baseMint, one])))

  const correct = Effect.fnUntraced(function* (mints: ReadonlyArray<string>, now: Date) {
    if (mints.length === 0) return
    const rows = yield* selectRegistered(mints, true)
    if (rows.length === 0) return
    // Read after locking the rows: concurrent updates that read older facts are visible now, and later ones read these.
    const registered = rows.map(({ mintAddress }) => mintAddress)
    const facts = yield* factsOf(registered)
    const built = yield* builtLaunches(sql, registered)
    for (const row of rows) {
      const known = facts.get(row.mintAddress)
      if (known !== undefined) yield* toChain(row, known, built.get(row.mintAddress), now)
      else if (row.pool !== null) yield* toClaims(row, now)
    }
  })

  /**
   * Mints whose tokens differ from the chain. No locks: concurrent updates are validated against the chain themselves.
   */
  const differing = Effect.fnUntraced(function* (mints: ReadonlyArray<string>) {
    const rows = yield* selectRegistered(mints, false)
    const facts = yield* factsOf(mints)
    const differs = (row: RegisteredRow) => {
      const known = facts.get(row.mintAddress)
      return (
        known?.pool !== (row.pool ?? undefined) || (known && changedClaims(row, chainClaims(row, known)).length > 0)
      )
    }
    return rows.filter(differs).map(({ mintAddress }) => mintAddress)
  })

  /** Corrects all tokens that are, or were, on chain. */
  const correctAll = Effect.fnUntraced(function* (now: Date) {
    let after = ""
    for (;;) {
      const page = yield* sql<{ readonly mintAddress: string }>`
        select t.mint_address from tokens t
        where t.deleted_at is null and t.mint_address > ${after}
          and (t.pool is not null or exists (select from dbc_pools p where p.base_mint = t.mint_address))
        order by t.mint_address limit ${PAGE}`
      yield* correct(yield* differing(page.map(({ mintAddress }) => mintAddress)), now)
      if (page.length < PAGE) return
      after = page.at(-1)!.mintAddress
    }
  })

  return { correct, correctAll }
}
