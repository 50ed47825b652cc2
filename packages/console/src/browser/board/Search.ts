import { useEffect, useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { type Failure, failureOf } from "../Failure.ts"
import { read, registry } from "../Registry.ts"
import { Empty, Failed, Loading } from "../States.ts"
import { type Row, rowOfToken } from "./BoardState.ts"
import { BoardTable } from "./BoardTable.ts"

const TYPING_MILLIS = 200

/** What the registry has for a term; a newer term ends the request of the one before. */
export const SearchResults = ({ term }: { readonly term: string }): View => {
  const [found, setFound] = useState<{ readonly term: string; readonly rows: ReadonlyArray<Row> }>()
  const [failure, setFailure] = useState<Failure>()
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const ended = new AbortController()
    const search = async (): Promise<void> => {
      try {
        const asked = { q: term, include: "market", limit: 50 }
        const { data } = await read(registry.tokens.search(asked, { signal: ended.signal }))
        setFound({ term, rows: data.map(rowOfToken) })
        setFailure(undefined)
      } catch (error) {
        if (!ended.signal.aborted) setFailure(failureOf(error))
      }
    }
    const timer = setTimeout(() => void search(), TYPING_MILLIS)
    return () => {
      clearTimeout(timer)
      ended.abort()
    }
  }, [term, attempt])

  if (failure !== undefined) return html`<${Failed} failure=${failure} onRetry=${() => setAttempt(attempt + 1)} />`
  if (found === undefined) return html`<${Loading} what="Searching" />`
  if (found.rows.length === 0 && found.term === term)
    return html`<${Empty}>No registered token has “${term}” in its name, symbol or description, or as its mint.<//>`
  return html`<div aria-busy=${found.term !== term}>
    <p class="hidden" role="status">${found.rows.length} tokens found</p>
    <${BoardTable} caption=${`Tokens for ${found.term}`} rows=${found.rows} />
  </div>`
}
