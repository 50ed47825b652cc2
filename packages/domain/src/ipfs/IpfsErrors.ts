import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import type { LimitReached } from "../http/LimitErrors.ts"

/** The store has reached its limit; content that is stored already can be uploaded again. */
export class StorageFull extends Schema.TaggedError<StorageFull>()("StorageFull", {
  limitBytes: field(Schema.Int, "Maximum number of bytes of all uploads together"),
}) {
  static readonly response = respondWith(StorageFull, {
    status: 507,
    code: "storage_full",
    message: () => "The store is full; new content is accepted once its operator has made room",
  })
}

/** What a cap on uploads refuses. */
export type UploadRefused = LimitReached | StorageFull

/** The byte range is outside of the content. */
export class RangeNotSatisfiable extends Schema.TaggedError<RangeNotSatisfiable>()("RangeNotSatisfiable", {
  sizeBytes: field(Schema.Int, "Size of the content, in bytes"),
}) {
  static readonly response = respondWith(RangeNotSatisfiable, {
    status: 416,
    code: "range_not_satisfiable",
    message: ({ sizeBytes }) => `The content has ${sizeBytes} bytes`,
  })
}
