import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

interface Locale {
  readonly ctype: string
  readonly hasTrigrams: boolean
  readonly hasCases: boolean
}

/** Says what searches lack in a database whose locale does not know letters beyond ASCII. The database itself is asked: the locale is of the server. */
export const reportSearchLocale = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [locale] = yield* sql<Locale>`
    select datctype as ctype, show_trgm('ж') <> '{}' as has_trigrams, lower('Ж') = 'ж' as has_cases
    from pg_database where datname = current_database()`
  const { ctype, hasCases, hasTrigrams } = locale!
  const lacks = [
    ...(hasTrigrams
      ? []
      : ["pg_trgm makes no trigrams of letters beyond ASCII, which searches find by one and two characters"]),
    ...(hasCases ? [] : ["searches tell upper from lower case of letters beyond ASCII"]),
  ]
  if (lacks.length === 0) return
  const line = `The LC_CTYPE of the database is ${ctype}: ${lacks.join("; ")}. See docs/operations.md, Locale of the database`
  yield* hasCases ? Effect.logInfo(line) : Effect.logWarning(line)
})

/** Says it once, at the start. */
export const SearchLocaleLayer = Layer.effectDiscard(Effect.ignore(reportSearchLocale))
