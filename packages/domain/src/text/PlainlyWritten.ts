import { BLANK } from "./BlankCharacters.ts"

/** What a link has in no place: a slash to some readers, spaces, and characters that are not shown. */
const UNWRITTEN = new RegExp(String.raw`[\\\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]|${BLANK.source}`, "v")

/** Whether a path has a segment that means the folder itself or the one above, also encoded. */
const hasDotSegment = (path: string): boolean => /(^|\/)(\.|%2e){1,2}(?=\/|$)/i.test(path)

const DEFAULT_PORTS: Readonly<Record<string, string>> = { "https:": "443", "http:": "80" }

/** Scheme, authority and path of an absolute URL with slashes. */
const PARTS = /^[a-z]+:\/\/([^/?#]+)([^?#]*)/i

/**
 * Whether a URL leads where its text says: browsers also read one without slashes, with backslashes, or with credentials that look
 * like a host, and take dot segments away (WHATWG URL). The host is ASCII (that of an internationalized domain starts with `xn--`), in
 * the form that it is understood in; only its case may differ.
 */
export const isPlainlyWritten = (text: string): boolean => {
  const url = URL.parse(text)
  const [, authority, path = ""] = PARTS.exec(text) ?? []
  if (url === null || authority === undefined || UNWRITTEN.test(text) || hasDotSegment(path)) return false
  // Hosts of other schemes are opaque.
  const host = DEFAULT_PORTS[url.protocol] === undefined ? authority : authority.toLowerCase()
  return host === url.host || host === `${url.hostname}:${DEFAULT_PORTS[url.protocol]}`
}
