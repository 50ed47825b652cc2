import { createHash, createHmac } from "node:crypto"
import type { IncomingMessage } from "node:http"

const SKEW_MILLIS_MAX = 15 * 60_000

/** The accepted credentials. */
export interface Credentials {
  readonly key: string
  readonly secret: string
}

/** The refusal of a request as S3 words it, with everything that was sent and computed. */
export interface Refusal {
  readonly status: number
  readonly code: string
  readonly details: Readonly<Record<string, string>>
}

const sha256 = (data: string | Buffer) => createHash("sha256").update(data).digest("hex")
const hmac = (key: string | Buffer, data: string) => createHmac("sha256", key).update(data).digest()
const encoded = (text: string) =>
  [...Buffer.from(text)]
    .map((byte) => {
      const char = String.fromCharCode(byte)
      return /[A-Za-z0-9\-._~]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
    })
    .join("")

/**
 * Checks AWS Signature Version 4 by
 * https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html, written from the
 * documentation alone; `undefined` when the request is valid.
 */
export const refusalOf = (
  request: IncomingMessage,
  body: Buffer,
  { key, secret }: Credentials,
  nowMillis: number,
  ofRegion = "us-east-1",
): Refusal | undefined => {
  const { authorization = "" } = request.headers
  const header = (name: string) => String(request.headers[name] ?? "")
  const refuse = (status: number, code: string, more: Readonly<Record<string, string>> = {}) => ({
    status,
    code,
    details: { AWSAccessKeyId: key, Authorization: authorization, ...more },
  })

  const parts = /^AWS4-HMAC-SHA256 Credential=([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/.exec(
    authorization,
  )
  if (parts === null) return refuse(400, "AuthorizationHeaderMalformed")
  const [, credential, signedHeaders, signature] = parts as unknown as [string, string, string, string]
  const [accessKey, day, region, service, end] = credential.split("/")
  if (accessKey !== key) return refuse(403, "InvalidAccessKeyId")
  if (region !== ofRegion || service !== "s3" || end !== "aws4_request") {
    return refuse(400, "AuthorizationHeaderMalformed")
  }

  const date = header("x-amz-date")
  const at = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(date)
  if (at === null || date.slice(0, 8) !== day) return refuse(403, "AccessDenied")
  const [year, month, dayOfMonth, hour, minute, second] = at.slice(1).map(Number) as [number, ...Array<number>]
  const atMillis = Date.UTC(year, month! - 1, dayOfMonth, hour, minute, second)
  if (Math.abs(nowMillis - atMillis) > SKEW_MILLIS_MAX) return refuse(403, "RequestTimeTooSkewed")

  const names = signedHeaders.split(";")
  const mustBeSigned = ["host", ...Object.keys(request.headers).filter((name) => name.startsWith("x-amz-"))]
  if (mustBeSigned.some((name) => !names.includes(name))) return refuse(403, "AccessDenied")
  const payload = header("x-amz-content-sha256")
  if (payload !== sha256(body)) return refuse(400, "XAmzContentSHA256Mismatch", { Payload: payload })

  const [path, query = ""] = request.url!.split("?") as [string, string?]
  const canonical = [
    request.method!,
    path
      .split("/")
      .map((segment) => encoded(decodeURIComponent(segment)))
      .join("/"),
    query,
    ...[...names].sort().map((name) => `${name}:${header(name).trim().replace(/ +/g, " ")}`),
    "",
    signedHeaders,
    payload,
  ].join("\n")
  const scope = `${day}/${region}/${service}/aws4_request`
  const toSign = ["AWS4-HMAC-SHA256", date, scope, sha256(canonical)].join("\n")
  const signingKey = [region, service, "aws4_request"].reduce<Buffer>(hmac, hmac(`AWS4${secret}`, day!))
  const expected = hmac(signingKey, toSign).toString("hex")
  return expected === signature
    ? undefined
    : refuse(403, "SignatureDoesNotMatch", { SignatureProvided: signature, StringToSign: toSign, Canonical: canonical })
}
