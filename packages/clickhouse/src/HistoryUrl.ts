import { Redacted } from "effect"

/** Where history is: a database of a ClickHouse server, by its HTTP interface. */
export interface HistoryUrl {
  /** Scheme, host and port, without anything secret. */
  readonly origin: string
  readonly user: string
  /** May be empty. */
  readonly password: Redacted.Redacted
  readonly database: string
}

/** What {@link parseHistoryUrl} takes, in the words of a fault. */
export const HISTORY_URL = "the HTTP interface of ClickHouse as http(s)://user:password@host:8123/database"

/** What needs no quotes in any statement. */
const DATABASE_NAME = /^[A-Za-z_]\w{0,63}$/

/** `undefined` where the text is no such URL: without user or database, with a longer path, a query or a fragment. */
export const parseHistoryUrl = (text: string): HistoryUrl | undefined => {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol) || `${url.search}${url.hash}` !== "") return undefined
  const user = decoded(url.username)
  const password = decoded(url.password)
  const database = url.pathname.slice(1)
  if (user === undefined || user === "" || password === undefined || !DATABASE_NAME.test(database)) return undefined
  return { origin: url.origin, user, password: Redacted.make(password), database }
}

const decoded = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
