import { Schema } from "effect"

/** The database was migrated by a version before the first release. */
export class SchemaUnreleased extends Schema.TaggedError<SchemaUnreleased>()("SchemaUnreleased", {}) {
  override get message(): string {
    return (
      "The database has the schema of an unreleased version, which cannot be migrated: export what you need from it, and start " +
      "with an empty database, or in local mode delete the data folder"
    )
  }
}
