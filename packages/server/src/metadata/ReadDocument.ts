import type { FetchedDocument } from "@launch-registry/domain/pools/FetchedDocument"
import { plain } from "@launch-registry/domain/text/PlainText"
import { isWebUri } from "@launch-registry/domain/text/WebUri"
import { parseStrictJson } from "@launch-registry/http/requests/StrictJson"

const DESCRIPTION_LENGTH_MAX = 1_000

/** What a document says. */
export type DocumentFields = Omit<FetchedDocument, "fetchedAt" | "source">

type Members = Readonly<Record<string, unknown>>

const isMembers = (value: unknown): value is Members =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const NO_NUMBERS: ReadonlySet<string> = new Set()

/** The first of these that is a link to display. */
const linkOf = (...values: ReadonlyArray<unknown>): string | undefined =>
  values.flatMap((value) => (typeof value === "string" ? [value.trim()] : [])).find((text) => isWebUri(text, false))

const present = (fields: { readonly [Field in keyof DocumentFields]: DocumentFields[Field] | undefined }) =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined && value !== ""),
  ) as DocumentFields

/**
 * What may be shown of a metadata document (Metaplex fungible standard): links at the top level or under `extensions`, https or ipfs URIs
 * alone. Undefined if it is not one JSON object in UTF-8, has a key twice, or is nested too deep.
 */
export const readDocument = (bytes: Uint8Array): DocumentFields | undefined => {
  let text: string
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
  const { value } = parseStrictJson(text, NO_NUMBERS)
  if (!isMembers(value)) return undefined
  const { description, external_url, extensions, image, telegram, twitter, website } = value
  const further = isMembers(extensions) ? extensions : {}
  return present({
    image: linkOf(image),
    // Of several lines one: it stands in rows of lists.
    description:
      typeof description === "string" ? plain(description.replaceAll(/\s+/g, " "), DESCRIPTION_LENGTH_MAX) : undefined,
    website: linkOf(website, further["website"], external_url),
    twitter: linkOf(twitter, further["twitter"]),
    telegram: linkOf(telegram, further["telegram"]),
  })
}
