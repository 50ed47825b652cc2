import { Schema } from "effect"

/** Segments of the log are in an archive, and the settings of it are absent. */
export class ArchiveNotConfigured extends Schema.TaggedError<ArchiveNotConfigured>()("ArchiveNotConfigured", {}) {
  override get message(): string {
    return (
      "Segments of the log are in an archive: set INBOX_ARCHIVE_URL to what it was, " +
      "because tables cannot be derived again without them"
    )
  }
}

/** The archive does not give a segment as it was stored. */
export class ArchiveUnreadable extends Schema.TaggedError<ArchiveUnreadable>()("ArchiveUnreadable", {
  object: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `Segments of the log cannot be read from ${this.object} in the archive: ${this.reason}`
  }
}

/** What was uploaded does not read back, so nothing of it is deleted from PostgreSQL. */
export class ArchiveDamaged extends Schema.TaggedError<ArchiveDamaged>()("ArchiveDamaged", {
  object: Schema.String,
  reason: Schema.String,
}) {
  override get message(): string {
    return `${this.object} in the archive is not as it was uploaded: ${this.reason}`
  }
}

/** Why segments cannot be read. */
export type ArchiveFault = ArchiveNotConfigured | ArchiveUnreadable
