import type { Launch } from "@launch-registry/domain/launch/Launch"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import type { RowRange } from "@launch-registry/http/answers/AnswerList"
import type { RowOf } from "@launch-registry/postgres/SchemaRow"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { shownTexts, SIZE_COLUMNS, withShownUris } from "../facts/ChainFacts.ts"
import { type DocumentColumn, documentColumn, withDocument } from "../metadata/FetchedDocuments.ts"
import { partsOfMints } from "../tokens/TokenParts.ts"
import { TOKEN_COLUMNS, type TokenRow, toToken } from "../tokens/TokenRow.ts"
import { launchRows, type LaunchPosition, type LaunchScope } from "./ListLaunches.ts"
import { Markets } from "../markets/Markets.ts"
import { STAGE } from "../markets/PoolStage.ts"
import { Trust } from "../trust/Trust.ts"

/** What a list of launches is asked for besides them. */
export interface LaunchParts {
  readonly market: boolean
  readonly trust: boolean
}

type LaunchRow = RowOf<Omit<Launch, "document" | "token" | "market" | "trust">> & {
  readonly document: DocumentColumn | null
}

const DOCUMENT = documentColumn("p.base_mint", "coalesce(n.uri, p.uri)")

/** Reads of launches on chain, registered or not: a fixed number of statements for each part that is asked for. */
export const launchReads = Effect.gen(function* () {
  const sql = yield* SqlClient
  const partsOf = partsOfMints(yield* Markets, yield* Trust)

  const rowsOf = (pools: ReadonlyArray<string>) =>
    sql<LaunchRow>`
      select p.base_mint as mint_address, p.pool, p.config, p.creator, p.quote_mint, coalesce(n.name, p.name) as name,
        coalesce(n.symbol, p.symbol) as symbol, coalesce(n.uri, p.uri) as uri,
        ${sql.literal(STAGE)} as stage, p.created_at as launched_at, p.migrated_at as graduated_at,
        ${sql.literal(SIZE_COLUMNS)}, f.document
      from dbc_pools p left join token_labels n on n.mint = p.base_mint left join dbc_configs c on c.config = p.config
      left join launch_configs k on k.config_address = p.config
      cross join lateral (select ${sql.literal(DOCUMENT)}) f where p.pool = any(${pools}::text[])`.pipe(
      Effect.flatMap(withShownUris),
    )

  const tokensOf = (mints: ReadonlyArray<string>) =>
    Effect.map(
      sql<TokenRow>`
        select ${sql.literal(TOKEN_COLUMNS)} from tokens t
        where t.mint_address = any(${mints}::text[]) and t.deleted_at is null`,
      (rows) => new Map<string, TokenRow>(rows.map((row) => [row.mintAddress, row])),
    )

  /** The launches of these pools, by pool; those that are gone are absent. */
  const launchesOf = Effect.fnUntraced(function* (pools: ReadonlyArray<string>, parts: LaunchParts) {
    const rows = yield* rowsOf(pools)
    const mints = rows.map(({ mintAddress }) => mintAddress)
    const [tokens, { facts, figures }] = yield* Effect.all([tokensOf(mints), partsOf(parts, mints)], {
      concurrency: "unbounded",
    })
    const toLaunch = ({ document, ...row }: LaunchRow): Launch => {
      const registered = tokens.get(row.mintAddress)
      const token = registered === undefined ? null : toToken(registered)
      return {
        ...{ ...row, ...shownTexts({ ...row, baseMint: row.mintAddress }) },
        launchedAt: timestampOf(row.launchedAt),
        graduatedAt: row.graduatedAt && timestampOf(row.graduatedAt),
        token,
        ...withDocument(document, token ?? undefined),
        ...(figures && { market: figures.get(row.mintAddress) ?? null }),
        ...(facts?.has(row.mintAddress) && { trust: facts.get(row.mintAddress)! }),
      }
    }
    return new Map<string, Launch>(rows.map((row) => [row.pool, toLaunch(row)]))
  })

  /** A page of a list, in order. */
  const list = Effect.fn("listLaunches")(function* (
    scope: LaunchScope,
    range: RowRange<LaunchPosition>,
    parts: LaunchParts,
  ) {
    const found = yield* launchRows(sql, scope, range)
    const launches = yield* launchesOf(
      found.map(({ pool }) => pool),
      parts,
    )
    const rows = found.flatMap(({ key, pool }) => {
      const item = launches.get(pool)
      return item === undefined ? [] : [{ item, position: { key: Number(key), pool } }]
    })
    // Where the pool of one was reverted meanwhile the page is short, and not the last one.
    const isCut = found.length >= range.limit && rows.length < found.length
    const last = isCut ? found.at(-1) : undefined
    return { rows, end: last && { key: Number(last.key), pool: last.pool } }
  }, Effect.orDie)

  /** Of these mints, in no order, as soon as they are indexed: before lists have them. */
  const ofMints = Effect.fn("launchesOfMints")(function* (mints: ReadonlyArray<string>, parts: LaunchParts) {
    const found = yield* sql<{ readonly pool: string }>`
      select distinct on (base_mint) pool from dbc_pools where base_mint = any(${mints}::text[])
      order by base_mint, created_slot, pool`
    const launches = yield* launchesOf(
      found.map(({ pool }) => pool),
      parts,
    )
    return [...launches.values()]
  }, Effect.orDie)

  return { list, ofMints }
})

/** Lists launches: a page in one statement each for order, launches and tokens. */
export const listLaunches = Effect.map(launchReads, ({ list }) => list)
