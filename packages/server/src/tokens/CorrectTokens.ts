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
} from "../facts/ChainFacts.ts"
import type { TokenDetailsRow } from "./TokenRow.ts"

/** Page size when all tokens are compared. */
const PAGE = 500

const OWN_CLAIMS = [...TOKEN_CLAIMS, "quoteMint"] as const
const CLAIMS = [...OWN_CLAIMS, ...CONFIG_CLAIMS] as const
type Claim = (typeof CLAIMS)[number]

/** Fields that the chain may contradict, of a token and of its DBC configuration; of the latter those that were sent. */
type Claims = { readonly [Field in Claim]?: string | number | null }

type RegisteredRow = { readonly [Field in (typeof OWN_CLAIMS)[number]]: string | number | null } & Pick<
  TokenDetailsRow,
  "id" | "mintAddress" | "pool" | "dbcConfig" | TokenText
> & { readonly claimed: Claims | null }

const REGISTERED_COLUMNS = columnsOf("t", [
  ...["id", "mintAddress", "pool", "dbcConfig", "claimed"],
  ...[...OWN_CLAIMS, ...TOKEN_TEXTS],
])

const pick = (fields: ReadonlyArray<Claim>, from: object): Claims =>
  Object.fromEntries(Object.entries(from).filter(([field]) => (fields as ReadonlyArray<string>).includes(field)))

const claimsOf = (row: RegisteredRow): Claims => ({
  ...pick(OWN_CLAIMS, row),
  ...pick(CONFIG_CLAIMS, row.dbcConfig ?? {}),
})

/** Values on chain; of a configuration only fields that were sent. */
const chainClaims = (row: RegisteredRow, facts: ChainFactsRow): Claims => ({
  ...chainColumns(facts),
  quoteMint: facts.quoteMint,
  ...pick(
    CONFIG_CLAIMS.filter((field) => row.dbcConfig?.[field] !== undefined),
    chainConfig(facts),
  ),
})

/** Those of these values that a token does not have. */
const differing = (row: RegisteredRow, wanted: Claims): Claims => {
  const claims = claimsOf(row)
  return pick(
    CLAIMS.filter((field) => wanted[field] !== undefined && wanted[field] !== claims[field]),
    wanted,
  )
}

/** Fills empty fields from what was sent to the launch endpoints. */
const fillable = (row: RegisteredRow, built: BuiltLaunchRow | undefined) => {
  if (built === undefined) return {}
  const texts = Object.entries(builtTexts(built)).filter(([field]) => row[field as TokenText] === "")
  return {
    ...Object.fromEntries(texts),
    ...(built.dbcConfig !== null && row.dbcConfig === null && { dbcConfig: built.dbcConfig }),
  }
}

/**
 * Corrects registered tokens to the facts on chain, and restores what clients had claimed when the launch is rolled
 * back. Every correction is recorded in `token_corrections`.
 */
export const correctTokens = (sql: SqlClient, json: PgClient["json"]) => {
  const ids = new UuidV7()

  /** Writes values that differ, and these columns. */
  const write = Effect.fnUntraced(function* (
    row: RegisteredRow,
    written: Claims,
    by: "chain" | "rollback",
    pool: string,
    columns: Readonly<Record<string, unknown>> & { readonly updatedAt: Date },
  ) {
    const changed = Object.keys(written)
    if (changed.length > 0) {
      yield* sql`insert into token_corrections ${sql.insert({
        ...{ id: ids.next(columns.updatedAt.getTime()), tokenId: row.id, mintAddress: row.mintAddress },
        ...{ correctedAt: columns.updatedAt, correctedBy: by, pool },
        ...{ before: json(pick(changed as ReadonlyArray<Claim>, claimsOf(row))), after: json(written) },
      })}`
      yield* Effect.logInfo("Token corrected").pipe(
        Effect.annotateLogs({ token: row.id, mint: row.mintAddress, by, fields: changed.join(", ") }),
      )
    }
    const ofConfig = pick(CONFIG_CLAIMS, written)
    yield* sql`update tokens set ${sql.update({
      ...pick(OWN_CLAIMS, written),
      ...(Object.keys(ofConfig).length > 0 && { dbcConfig: json({ ...row.dbcConfig, ...ofConfig }) }),
      // What was verified had another name.
      ...(written.name !== undefined || written.symbol !== undefined ? { verified: false } : {}),
      ...columns,
    })} where id = ${row.id}::uuid`
  })

  const toChain = Effect.fnUntraced(function* (
    row: RegisteredRow,
    facts: ChainFactsRow,
    built: BuiltLaunchRow | undefined,
    updatedAt: Date,
  ) {
    const written = differing(row, chainClaims(row, facts))
    const isNew = row.pool !== facts.pool
    if (!isNew && Object.keys(written).length === 0) return
    const { config, pool } = facts
    const { dbcConfig, ...texts } = isNew ? fillable(row, built) : {}
    yield* write(row, written, "chain", pool, {
      ...{ ...texts, pool, config, updatedAt },
      ...(dbcConfig && { dbcConfig: json(dbcConfig) }),
      ...(row.pool === null && { claimed: json(claimsOf(row)) }),
    })
  })

  /** A configuration field that was filled since is no claim, and stays. */
  const toClaims = (row: RegisteredRow, updatedAt: Date) =>
    write(row, row.claimed === null ? {} : differing(row, row.claimed), "rollback", row.pool!, {
      ...{ pool: null, config: null, claimed: null, updatedAt },
    })

  const selectRegistered = (mints: ReadonlyArray<string>, isLocked: boolean) => sql<RegisteredRow>`
    select ${sql.literal(REGISTERED_COLUMNS)}
    from tokens t where t.mint_address = any(${mints}::text[]) and t.deleted_at is null
    order by t.id ${isLocked ? sql`for update` : sql``}`

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
  const incorrect = Effect.fnUntraced(function* (mints: ReadonlyArray<string>) {
    const rows = yield* selectRegistered(mints, false)
    const facts = yield* factsOf(mints)
    const differs = (row: RegisteredRow) => {
      const known = facts.get(row.mintAddress)
      if (known?.pool !== (row.pool ?? undefined)) return true
      return known !== undefined && Object.keys(differing(row, chainClaims(row, known))).length > 0
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
      yield* correct(yield* incorrect(page.map(({ mintAddress }) => mintAddress)), now)
      if (page.length < PAGE) return
      after = page.at(-1)!.mintAddress
    }
  })

  return { correct, correctAll }
}
