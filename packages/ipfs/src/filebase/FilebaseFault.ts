import { retryAfterMillis } from "@launch-registry/domain/http/RetryAfter"
import { BackendFailed } from "../backends/IpfsBackend.ts"

/** An error answer. `text` is the beginning of the body, empty after HEAD. */
export interface Refusal {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** `retryAfterMillis` is dropped for permanent faults. */
export const filebaseFailed = (
  reason: string,
  isPermanent: boolean,
  more: { readonly scope?: BackendFailed["scope"]; readonly retryAfterMillis?: number | undefined } = {},
): BackendFailed =>
  new BackendFailed({
    backend: "filebase",
    reason,
    isPermanent,
    scope: more.scope ?? "backend",
    ...(isPermanent || more.retryAfterMillis === undefined ? {} : { retryAfterMillis: more.retryAfterMillis }),
  })

/** Codes of an overloaded or failing service, whatever the status. */
const OVERLOAD_CODES = [
  "InternalError",
  "RequestLimitExceeded",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown",
  "Throttling",
  "ThrottlingException",
  "TooManyRequests",
]

/** Transient codes: overload, and bodies damaged on the way. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set([
  ...OVERLOAD_CODES,
  "BadDigest",
  "IncompleteBody",
  "OperationAborted",
  "XAmzContentSHA256Mismatch",
])

/** Codes about the key and the signature. */
const KEY_CODES: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AllAccessDisabled",
  "AuthorizationHeaderMalformed",
  "ExpiredToken",
  "InvalidAccessKeyId",
  "InvalidToken",
  "SignatureDoesNotMatch",
])

/** Codes that any object would get, also with a status below 500. */
const SERVICE_CODES: ReadonlySet<string> = new Set([...OVERLOAD_CODES, ...KEY_CODES, "RequestTimeTooSkewed"])

/** Statuses from 400 to 499 that any object would get. */
const SERVICE_STATUSES: ReadonlySet<number> = new Set([401, 402, 404, 405, 407, 408, 425, 429])

const TRANSIENT_STATUSES: ReadonlySet<number> = new Set([302, 303, 307, 408, 409, 425, 429])

/**
 * Classifies an answer by https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html. Only the code of the body is
 * passed on: the rest quotes the key, the signature and what was signed.
 */
export const faultOfAnswer = (refusal: Refusal, nowMillis: number): BackendFailed => {
  const { headers, status } = refusal
  const code = codeOf(refusal.text)
  const isTransient =
    TRANSIENT_CODES.has(code ?? "") || TRANSIENT_STATUSES.has(status) || (status >= 500 && status !== 501)
  const what = code ?? (isMarkup(headers) ? `${status} with a page instead of an answer of S3` : `status ${status}`)
  return filebaseFailed(`Filebase ${begin(status, code)}: ${what}`, !isTransient, {
    scope: scopeOf(status, code),
    retryAfterMillis: retryAfterMillis(headers.get("retry-after"), nowMillis),
  })
}

/** A refusal is about the object unless code or status say otherwise: bad content must not look like an outage. */
const scopeOf = (status: number, code = ""): BackendFailed["scope"] =>
  status < 400 || status >= 500 || SERVICE_STATUSES.has(status) || SERVICE_CODES.has(code) ? "backend" : "upload"

const begin = (status: number, code: string | undefined): string => {
  if (code === "RequestTimeTooSkewed") return "finds that the clock of this machine is wrong"
  // A missing object is not a fault: the caller reads that 404 itself.
  if (status === 404) return "has no such bucket"
  if (status === 401 || status === 403) {
    return code === undefined || KEY_CODES.has(code) ? "refuses the key" : "refuses the request"
  }
  if (status >= 300 && status < 400) return "redirects, where a signed request does not follow"
  if (status === 429 || code === "SlowDown") return "asks for fewer requests"
  return status >= 500 ? "is in trouble" : "refuses the request"
}

/** Codes are words; anything else could quote a secret. */
const codeOf = (text: string): string | undefined =>
  /<Code>\s*([A-Za-z]{2,64}[0-9]{0,3}[A-Za-z]{0,64})\s*<\/Code>/.exec(text)?.[1]

/** Proxies and login pages answer with HTML, S3 with XML or an empty body. */
export const isMarkup = (headers: Headers): boolean => /\bhtml\b/i.test(headers.get("content-type") ?? "")

/** No answer, or one cut short. Only the error's code is passed on: its message can quote the URL. */
export const faultOfConnection = (error: unknown): BackendFailed => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  const named = /^[A-Z][A-Z_]{2,40}$/.test(code) ? `: ${code}` : ""
  return filebaseFailed(`The connection to Filebase failed${named}`, false)
}
