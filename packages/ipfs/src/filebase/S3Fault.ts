import { retryAfterMillis } from "@launch-registry/domain/http/RetryAfter"
import { BackendFailed } from "../IpfsBackend.ts"

/** What an S3 service said instead of what was asked for. `text` is the beginning of the body, empty after HEAD. */
export interface S3Refusal {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** `retryAfterMillis` counts for faults that pass. */
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

/** Codes of S3 that pass though their status says that the request was wrong: of the way the body came, or of the load. */
const PASSING_CODES: ReadonlySet<string> = new Set([
  "BadDigest",
  "IncompleteBody",
  "InternalError",
  "OperationAborted",
  "RequestLimitExceeded",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown",
  "Throttling",
  "ThrottlingException",
  "TooManyRequests",
  "XAmzContentSHA256Mismatch",
])

/** Codes that speak of the key and what is signed with it. */
const KEY_CODES: ReadonlySet<string> = new Set([
  "AccessDenied",
  "AllAccessDisabled",
  "AuthorizationHeaderMalformed",
  "ExpiredToken",
  "InvalidAccessKeyId",
  "InvalidToken",
  "SignatureDoesNotMatch",
])

/** Codes below 500 that speak of the service or of our clock, whatever the upload. */
const SERVICE_CODES: ReadonlySet<string> = new Set([
  "InternalError",
  "RequestLimitExceeded",
  "RequestTimeTooSkewed",
  "RequestTimeout",
  "ServiceUnavailable",
  "SlowDown",
  "Throttling",
  "ThrottlingException",
  "TooManyRequests",
])

/** Statuses from 400 to 499 that any upload would be answered with. */
const SERVICE_STATUSES: ReadonlySet<number> = new Set([401, 402, 404, 405, 407, 408, 425, 429])

const PASSING_STATUSES: ReadonlySet<number> = new Set([302, 303, 307, 408, 409, 425, 429])

/**
 * An answer as a fault, by https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html. Of the body only the
 * code is passed on: the rest quotes the key, the signature and what was signed.
 */
export const faultOfAnswer = (refusal: S3Refusal, nowMillis: number): BackendFailed => {
  const { headers, status } = refusal
  const code = codeOf(refusal.text)
  const isPassing = PASSING_CODES.has(code ?? "") || PASSING_STATUSES.has(status) || (status >= 500 && status !== 501)
  const what = code ?? (isMarkup(headers) ? `${status} with a page instead of an answer of S3` : `status ${status}`)
  return filebaseFailed(`${begin(status, code)}: ${what}`, !isPassing, {
    scope: scopeOf(status, code),
    retryAfterMillis: retryAfterMillis(headers.get("retry-after"), nowMillis),
  })
}

/** A refusal is taken for one of the upload, unless it speaks of something else: content must not pass for an outage. */
const scopeOf = (status: number, code = ""): BackendFailed["scope"] =>
  status < 400 || status >= 500 || SERVICE_STATUSES.has(status) || SERVICE_CODES.has(code) || KEY_CODES.has(code)
    ? "backend"
    : "upload"

const begin = (status: number, code: string | undefined): string => {
  if (code === "RequestTimeTooSkewed") return "Filebase finds that the clock of this machine is wrong"
  // Objects that are not found are answers to whoever asks for them.
  if (status === 404) return "Filebase has no such bucket"
  if (status === 401 || status === 403) {
    return code === undefined || KEY_CODES.has(code) ? "Filebase refuses the key" : "Filebase refuses the request"
  }
  if (status >= 300 && status < 400) return "Filebase redirects, where a signed request does not follow"
  if (status === 429 || code === "SlowDown") return "Filebase asks for fewer requests"
  return status >= 500 ? "Filebase is in trouble" : "Filebase refuses the request"
}

/** Codes are words; whatever else stands there may be a quotation. */
const codeOf = (text: string): string | undefined =>
  /<Code>\s*([A-Za-z]{2,64}[0-9]{0,3}[A-Za-z]{0,64})\s*<\/Code>/.exec(text)?.[1]

/** Proxies and login pages answer with HTML, S3 with XML or nothing. */
export const isMarkup = (headers: Headers): boolean => /\bhtml\b/i.test(headers.get("content-type") ?? "")

/** No answer, or the end of one before its time. The message of such an error can quote the URL: only its code is passed on. */
export const faultOfConnection = (error: unknown): BackendFailed => {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : ""
  const named = /^[A-Z][A-Z_]{2,40}$/.test(code) ? `: ${code}` : ""
  return filebaseFailed(`The connection to Filebase failed${named}`, false)
}
