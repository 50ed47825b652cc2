import type { FetchedDocument } from "@launch-registry/domain/pools/FetchedDocument"
import type { Token } from "@launch-registry/domain/tokens/Token"
import type { DocumentFields } from "./ReadDocument.ts"

/** What was fetched, as a column. */
export interface DocumentColumn {
  readonly fields: DocumentFields
  readonly fetchedMillis: number
  readonly source: string
}

/** The column `document`, of SQL expressions of a mint and of its URI; null where nothing was fetched from that URI. */
export const documentColumn = (mint: string, uri: string): string => `(
  select jsonb_build_object('fields', d.document, 'source', d.source,
    'fetchedMillis', (extract(epoch from d.fetched_at) * 1000)::bigint)
  from fetched_documents d where d.mint = ${mint} and d.uri = ${uri} and d.document is not null) as document`

/** As it is answered: without what the token says itself, if it is registered. Nothing where nothing was fetched. */
export const withDocument = (
  column: DocumentColumn | null,
  token?: Pick<Token, "description" | "metadata">,
): { readonly document?: FetchedDocument } => {
  if (column === null) return {}
  const own: Readonly<Record<string, string>> =
    token === undefined ? {} : { description: token.description, ...token.metadata }
  const fields = Object.entries(column.fields).filter(([name]) => !own[name])
  const { fetchedMillis, source } = column
  return {
    document: { ...Object.fromEntries(fields), fetchedAt: new Date(fetchedMillis).toISOString(), source },
  }
}
