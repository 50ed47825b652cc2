import * as TestDatabase from "@launch-registry/migrations/TestDatabase"

/** Databases by what their locale knows of letters beyond ASCII, and what is said of it at the start. */
export const SEARCHED_DATABASES = [
  { kind: "whose LC_CTYPE is of UTF-8", database: TestDatabase.layer, said: [] },
  {
    // As embedded ones were made.
    kind: "whose LC_CTYPE is C, with a builtin locale of UTF-8",
    database: TestDatabase.layerWithLocale(
      "locale_provider builtin builtin_locale 'C.UTF-8' lc_collate 'C' lc_ctype 'C'",
    ),
    said: [/^Info The LC_CTYPE of the database is C: pg_trgm makes no trigrams/],
  },
  {
    kind: "whose locale is C",
    database: TestDatabase.layerWithLocale("locale_provider libc lc_collate 'C' lc_ctype 'C'"),
    said: [
      /^Warn The LC_CTYPE of the database is C: pg_trgm makes no trigrams .*; searches tell upper from lower case/,
    ],
  },
]
