import { Redacted } from "effect"
import { type ClickHouseFailed, clickHouseFailed } from "./ClickHouseFailed.ts"
import type { HistoryUrl } from "./HistoryUrl.ts"

/** An answer that is no success. */
export interface ClickHouseRefusal {
  readonly status: number
  /** Value of `X-ClickHouse-Exception-Code`. */
  readonly exceptionCode?: string | undefined
  readonly contentType?: string | undefined
  /** The beginning of the body. */
  readonly text: string
}

/** Enough for a sentence of the server; a statement that it quotes can be long. */
const MESSAGE_LENGTH_MAX = 300

/** `ErrorCodes.cpp` of ClickHouse: who may connect. */
const CREDENTIALS: ReadonlySet<number> = new Set([192, 193, 194, 195, 516, 746])
/** What a user may do: ACCESS_DENIED, READONLY, SETTING_CONSTRAINT_VIOLATION, UNKNOWN_ROLE. */
const RIGHTS: ReadonlySet<number> = new Set([164, 452, 497, 511])
/** A table, column, database or function that the server does not have. */
const ABSENT: ReadonlySet<number> = new Set([16, 46, 47, 50, 60, 81, 115])
/** Statements and values that fail in the same way again. */
const STATEMENT: ReadonlySet<number> = new Set([
  ...[
    6, 20, 25, 26, 27, 36, 38, 41, 42, 43, 44, 48, 53, 62, 69, 70, 72, 80, 117, 130, 131, 158, 179, 184, 191, 207, 215,
  ],
  ...[307, 349, 386, 396, 456, 457, 525, 637],
])
/** Works again by itself: timeouts, memory, too many queries or parts, quotas, disks, replicas and Keeper. */
const BUSY: ReadonlySet<number> = new Set([159, 160, 201, 202, 241, 242, 243, 252, 285, 319, 394, 473, 677, 999])

const PERMANENT_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 411, 413, 414, 431, 501])

/** Says what an error answer means. The server's own sentence is passed on where it is one, without what the URL holds. */
export const faultOfAnswer = (url: HistoryUrl, refusal: ClickHouseRefusal): ClickHouseFailed => {
  const { status, text } = refusal
  const exception = exceptionOf(text)
  const code = exception?.code ?? wholeNumber(refusal.exceptionCode)
  if (code === undefined) {
    const isPermanent = PERMANENT_STATUSES.has(status) || (status >= 300 && status < 400)
    const what = isMarkup(refusal) ? `${status} with a page instead of an answer of ClickHouse` : `status ${status}`
    return clickHouseFailed(`${beginOfStatus(status)}: ${what}`, isPermanent)
  }
  const isPermanent = [CREDENTIALS, RIGHTS, ABSENT, STATEMENT].some((codes) => codes.has(code))
  const named = exception?.name === undefined ? `code ${code}` : `${exception.name} (code ${code})`
  const sentence = exception === undefined ? "" : withoutSecrets(url, exception.message).slice(0, MESSAGE_LENGTH_MAX)
  return clickHouseFailed(`${beginOfCode(code)}: ${named}${sentence === "" ? "" : `: ${sentence}`}`, isPermanent)
}

const beginOfCode = (code: number): string => {
  if (CREDENTIALS.has(code)) return "ClickHouse refuses the user or the password of HISTORY_URL"
  if (RIGHTS.has(code)) return "ClickHouse does not let the user of HISTORY_URL do this"
  if (ABSENT.has(code)) return "ClickHouse does not have what the statement names"
  if (STATEMENT.has(code)) return "ClickHouse refuses the statement"
  return BUSY.has(code) ? "ClickHouse cannot do this now" : "ClickHouse failed"
}

const beginOfStatus = (status: number): string => {
  if (status === 401 || status === 403) return "The user or the password of HISTORY_URL is refused"
  if (status >= 300 && status < 400) return "The host of HISTORY_URL redirects, which is not followed"
  if (status === 404) return "There is no ClickHouse at HISTORY_URL"
  return status >= 500 || status === 429 ? "ClickHouse is in trouble" : "ClickHouse refuses the request"
}

const EXCEPTION = "DB::Exception: "

/** `Code: 60. DB::Exception: Unknown table ... (UNKNOWN_TABLE) (version ...)`, alone or after rows. */
export const exceptionOf = (
  text: string,
): { readonly code: number; readonly name: string | undefined; readonly message: string } | undefined => {
  const first = text.indexOf(EXCEPTION)
  const code = wholeNumber(/Code: (\d{1,5})\. $/.exec(text.slice(Math.max(0, first - 16), Math.max(0, first)))?.[1])
  if (code === undefined) return undefined
  // Errors are wrapped in errors, such as those of shards: the innermost says what is wrong.
  const message = text.slice(text.lastIndexOf(EXCEPTION) + EXCEPTION.length)
  const end = /\(([A-Z][A-Z0-9_]{2,60})\)/.exec(message)
  return { code, name: end?.[1], message: message.slice(0, end?.index).trim() }
}

const wholeNumber = (text: string | undefined): number | undefined =>
  text !== undefined && /^\d{1,5}$/.test(text) ? Number(text) : undefined

/** Proxies and login pages answer with HTML. */
export const isMarkup = ({ contentType, text }: Pick<ClickHouseRefusal, "contentType" | "text">): boolean =>
  /\bhtml\b/i.test(contentType ?? "") || /^\s*<(!doctype|html)/i.test(text)

/** The server quotes names, and something between could quote what it was sent. */
const withoutSecrets = ({ origin, password, user }: HistoryUrl, text: string): string => {
  const secret = Redacted.value(password)
  const hidden = [
    [Buffer.from(`${user}:${secret}`).toString("base64"), "[credentials]"],
    [secret, "[password]"],
    [encodeURIComponent(secret), "[password]"],
    [encodedAll(secret), "[password]"],
    [new URL(origin).host, "[host]"],
  ] as const
  let rest = text
  for (const [one, instead] of hidden) if (one !== "") rest = rest.replaceAll(one, instead)
  // As a whole word: names of columns and settings may contain it.
  const name = new RegExp(String.raw`(?<!\w)${user.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")}(?!\w)`, "g")
  return rest.replace(name, "[user]").replace(/\s+/g, " ")
}

/** As written by what encodes all that RFC 3986 reserves. */
const encodedAll = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** No answer, or one cut short. Only the error's code is passed on: its message can quote the URL. */
export const faultOfConnection = (error: unknown): ClickHouseFailed => {
  const code = typeof error === "object" && error !== null && "code" in error ? String(error.code) : ""
  return clickHouseFailed(
    `The connection to ClickHouse failed${/^[A-Z][A-Z_]{2,40}$/.test(code) ? `: ${code}` : ""}`,
    false,
  )
}
