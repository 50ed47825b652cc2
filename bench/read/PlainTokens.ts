import { TOKEN_COLUMNS, TOKEN_DETAILS_COLUMNS } from "../../packages/server/src/tokens/TokenRow.ts"
import pg from "pg"
import type { BenchAddress } from "../BenchDatabase.ts"

/** What a team would write without a framework for effects or a contract: statements by name, rows to objects by hand. */

type Row = Readonly<Record<string, unknown>>

const BY_ID = {
  name: "by-id",
  text: `select ${TOKEN_DETAILS_COLUMNS} from tokens t where t.id = $1 and t.deleted_at is null`,
}
const PAGE = {
  name: "page",
  text: `select ${TOKEN_COLUMNS} from tokens t where t.deleted_at is null order by t.created_at desc, t.id desc limit $1`,
}
const PAGE_UNTIL = {
  name: "page-until",
  text: `select ${TOKEN_COLUMNS} from tokens t where t.deleted_at is null and t.created_at <= $2
    order by t.created_at desc, t.id desc limit $1`,
}
const CONFIG = ["buildCurveMode", "totalTokenSupply", "migrationOption", "tokenBaseDecimal", "tokenQuoteDecimal"]

const tokenOf = (row: Row) => ({
  ...{ id: row.id, mintAddress: row.mintAddress, name: row.name, symbol: row.symbol, description: row.description },
  ...{ totalSupply: row.totalSupply, decimals: row.decimals, owner: row.owner, launchpad: row.launchpad },
  ...{
    tags: row.tags,
    active: row.active,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
    verified: row.verified,
  },
})

const configOf = (row: Row) => {
  const sent = row.dbcConfig as Row
  const dbcConfig: Record<string, unknown> = {}
  for (const field of CONFIG)
    if (field in sent) dbcConfig[field] = field === "totalTokenSupply" ? Number(sent[field]) : sent[field]
  return { quoteMint: row.quoteMint, dbcConfig }
}

const detailsOf = (row: Row) => ({
  ...tokenOf(row),
  ...{ pool: row.pool, config: row.config },
  metadata: {
    ...{ tokenUri: row.tokenUri, bannerUri: row.bannerUri, website: row.website },
    ...{ twitter: row.twitter, telegram: row.telegram },
  },
  ...(row.dbcConfig !== null && { tokenConfig: configOf(row) }),
})

export const plainTokens = ({ database, socketDirectory, username }: BenchAddress) => {
  const pool = new pg.Pool({ host: socketDirectory, user: username, database, max: 10, min: 10 })
  return {
    byId: async (id: string): Promise<object | undefined> => {
      const { rows } = await pool.query<Row>({ ...BY_ID, values: [id] })
      return rows[0] && { success: true, data: detailsOf(rows[0]) }
    },
    page: async (limit: number, endDate?: string | null): Promise<object> => {
      const statement = endDate ? { ...PAGE_UNTIL, values: [limit + 1, endDate] } : { ...PAGE, values: [limit + 1] }
      const { rows } = await pool.query<Row>(statement)
      const last = rows[limit - 1]
      const nextCursor =
        last === undefined || rows.length <= limit
          ? null
          : Buffer.from(`${(last.createdAt as Date).toISOString()},${String(last.id)}`).toString("base64url")
      return { success: true, data: rows.slice(0, limit).map(tokenOf), pagination: { limit, nextCursor } }
    },
  }
}
