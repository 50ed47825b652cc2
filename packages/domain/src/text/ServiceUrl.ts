import { isWebUri } from "./WebUri.ts"

/** Whether it is an http or https URL to which a path can be appended, without credentials and query. */
export const isPlainUrl = (text: string): boolean => {
  const url = URL.parse(text)
  // URL.parse repairs its input, but the text is used unchanged.
  return url !== null && /^https?:\/\/[^\s\\?#]+$/i.test(text) && url.username === "" && url.password === ""
}

/** The same with https, or http to loopback. */
export const isServiceUrl = (text: string): boolean => isPlainUrl(text) && isWebUri(text, true)

/** What {@link isServiceUrl} takes, in the words of a fault. */
export const SERVICE_URL = "a URL starting with https:// (http:// only for loopback), without credentials and query"
