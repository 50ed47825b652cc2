import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"

const said = (what: string) => Schema.optionalKey(field(Schema.String, what))

/** What a metadata document says that is stored elsewhere: as much as may be shown, and nothing that the token says itself. */
export const FetchedDocument = Schema.Struct({
  image: said("Image of the token"),
  description: said("Description of the token"),
  website: said("Website"),
  twitter: said("Page at X (Twitter)"),
  telegram: said("Telegram channel or group"),
  fetchedAt: field(Timestamp, "When it was fetched"),
  source: field(Schema.String, "Host that answered it"),
}).annotate({
  identifier: "FetchedDocument",
  description:
    "What a metadata document says that is stored elsewhere, without what the token says itself; absent while none was fetched",
})
export type FetchedDocument = typeof FetchedDocument.Type
