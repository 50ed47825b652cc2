import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { takeTurn } from "../system/Turn.ts"
import { documentPlace, type MetadataOptions } from "./DocumentUrls.ts"

/** The newest launches are looked at each time, and the next ones of all in turn: renamed ones and those that were indexed late. */
const [NEWEST, IN_TURN] = [200, 500]
/** By all processes together. */
const LOOK_SECONDS = 2

interface FoundRow {
  readonly mint: string
  readonly uri: string
  readonly launchedAt: Date
}

/** Puts the URIs of launches into the queue that are not in it, and takes out launches that were reverted. Returns how many were put there. */
export const findDocuments = (options: MetadataOptions) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const add = Effect.fnUntraced(function* (mints: ReadonlyArray<string>) {
      const rows = yield* sql<FoundRow>`
        select m.mint, coalesce(n.uri, p.uri) as uri, p.created_at as launched_at
        from (select distinct unnest(${mints}::text[])) m (mint)
        cross join lateral (
          select uri, created_at from dbc_pools where base_mint = m.mint order by created_slot, pool limit 1
        ) p
        left join token_labels n on n.mint = m.mint
        left join fetched_documents d on d.mint = m.mint
        where d.uri is distinct from coalesce(n.uri, p.uri)`
      const found = rows.flatMap(({ launchedAt, mint, uri }) => {
        const place = documentPlace(uri, options)
        return place === undefined ? [] : [{ mint, uri, site: place.site, launchedAt }]
      })
      if (found.length > 0)
        yield* sql`
          insert into fetched_documents (mint, uri, site, due_at)
          select * from unnest(${found.map(({ mint }) => mint)}::text[], ${found.map(({ uri }) => uri)}::text[],
            ${found.map(({ site }) => site)}::text[], ${found.map(({ launchedAt }) => launchedAt)}::timestamptz[])
          on conflict (mint) do update set (uri, site, due_at, attempts, fault, document, source, fetched_at)
            = (excluded.uri, excluded.site, excluded.due_at, 0, null, null, null, null)`
      return found.length
    })

    return Effect.gen(function* () {
      if (!(yield* takeTurn(sql, "documents", LOOK_SECONDS))) return 0
      const [progress] = yield* sql<{ readonly comparedTo: string }>`
        select compared_to from server_progress where name = 'documents'`
      const { comparedTo } = progress!
      const newest = yield* sql<{ readonly mint: string }>`
        select base_mint as mint from launch_listings order by launched_at desc, pool desc limit ${NEWEST}`
      const inTurn = yield* sql<{ readonly mint: string }>`
        select base_mint as mint from dbc_pools where base_mint > ${comparedTo} order by base_mint limit ${IN_TURN}`
      const next = inTurn.length < IN_TURN ? "" : inTurn.at(-1)!.mint
      const added = yield* add([...newest, ...inTurn].map(({ mint }) => mint))
      const upTo = next === "" ? sql`` : sql`and mint <= ${next}`
      yield* sql`
        delete from fetched_documents d where mint > ${comparedTo} ${upTo}
          and not exists (select from dbc_pools p where p.base_mint = d.mint)`
      yield* sql`update server_progress set compared_to = ${next} where name = 'documents'`
      return added
    }).pipe(sql.withTransaction)
  })
