import { Effect } from "effect"
import type * as Migrator from "effect/sql/Migrator"
import { migrations, sqlMigration } from "../src/Migrations.ts"

/** All migrations, and one of each of these texts after them: `later_1` and so on. */
export const withLater = (...texts: ReadonlyArray<string>): Migrator.Loader =>
  Effect.map(migrations, (all) => [
    ...all,
    ...texts.map((text, index) => sqlMigration(all.length + index + 1, `later_${index + 1}`, text)),
  ])
