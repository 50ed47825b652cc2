import { createHash } from "node:crypto"
import { AwsV4Signer } from "aws4fetch"
import { Clock, Effect, Redacted } from "effect"
import type { BackendFailed } from "../backends/IpfsBackend.ts"
import { faultOfAnswer, faultOfConnection, filebaseFailed } from "./FilebaseFault.ts"

/** The only region of Filebase, by its documentation. */
const REGION = "us-east-1"

/** Enough for any S3 error; the rest is not read. */
const TEXT_BYTES_MAX = 16_384
/** SHA-256 of an empty body. */
const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

/** A bucket and its credentials. */
export interface Bucket {
  /** An http or https URL without user, query or fragment. */
  readonly endpoint: string
  readonly bucket: string
  readonly key: Redacted.Redacted
  readonly secret: Redacted.Redacted
}

export interface FilebaseRequest {
  readonly method: "PUT" | "HEAD" | "GET"
  /** `undefined`: the bucket itself. */
  readonly object?: string
  /** Signed as well. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Uint8Array<ArrayBuffer>
}

/**
 * Sends a signed request (AWS Signature Version 4) and reads a successful answer with `read`; any other answer is a failure. It
 * follows no redirects, does not retry and has no deadline; interrupting it closes the connection.
 */
export type FilebaseClient = <A>(
  request: FilebaseRequest,
  read: (answer: Response) => Promise<A>,
  /** Other statuses that go to `read`. */
  expected?: ReadonlyArray<number>,
) => Effect.Effect<A, BackendFailed>

export const filebaseClient = (bucket: Bucket): FilebaseClient =>
  Effect.fnUntraced(function* (request, read, expected = []) {
    const nowMillis = yield* Clock.currentTimeMillis
    const url = yield* urlOf(bucket, request.object)
    const headers = yield* sign(bucket, request, url, nowMillis)
    const outcome = yield* Effect.tryPromise({
      // Not Effect's HTTP client, which would write URL and headers into traces.
      try: async (signal) => {
        const { body, method } = request
        const answer = await fetch(url, { method, headers, signal, redirect: "manual", ...(body && { body }) })
        if (answer.ok || expected.includes(answer.status)) return { value: await read(answer) }
        return { status: answer.status, headers: answer.headers, text: await beginningOf(answer) }
      },
      catch: faultOfConnection,
    })
    if ("value" in outcome) return outcome.value
    // The key is sent, so an answer may quote it; the secret is not.
    const text = outcome.text.replaceAll(Redacted.value(bucket.key) || "\0", "[the key]")
    return yield* faultOfAnswer({ ...outcome, text }, yield* Clock.currentTimeMillis)
  })

/** The first bytes of a body as text. Most bodies are shorter, so their connection can be reused. */
export const beginningOf = async (answer: Response): Promise<string> => {
  const decoder = new TextDecoder()
  let text = ""
  for await (const piece of answer.body ?? []) {
    text += decoder.decode(piece.subarray(0, TEXT_BYTES_MAX - text.length), { stream: true })
    if (text.length >= TEXT_BYTES_MAX) break
  }
  return text
}

/** RFC 3986, so that the path stays the same when the server normalizes it to check the signature. */
const encoded = (segment: string): string =>
  encodeURIComponent(segment).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** An invalid endpoint fails every request until the settings are changed. */
const urlOf = ({ bucket, endpoint }: Bucket, object: string | undefined): Effect.Effect<string, BackendFailed> => {
  const base = URL.parse(endpoint)
  const isAddress =
    base !== null &&
    /^https?:$/.test(base.protocol) &&
    `${base.username}${base.password}${base.search}${base.hash}` === ""
  if (!isAddress) {
    return Effect.fail(
      filebaseFailed("The endpoint of Filebase must be an http or https URL without credentials", true),
    )
  }
  const segments = [bucket, ...(object === undefined ? [] : object.split("/"))]
  const path = `${base.pathname.replace(/\/+$/, "")}/${segments.map(encoded).join("/")}`
  const url = new URL(path, base)
  return url.pathname === path
    ? Effect.succeed(url.href)
    : Effect.fail(filebaseFailed("The bucket or the prefix of Filebase cannot be written in a URL", true))
}

const sign = (
  { key, secret }: Bucket,
  { body, headers, method }: FilebaseRequest,
  url: string,
  nowMillis: number,
): Effect.Effect<Headers, BackendFailed> =>
  Effect.tryPromise({
    try: async () => {
      const signer = new AwsV4Signer({
        method,
        url,
        headers: {
          ...headers,
          // aws4fetch would leave the payload of S3 requests unsigned.
          "x-amz-content-sha256": body === undefined ? EMPTY_SHA256 : createHash("sha256").update(body).digest("hex"),
        },
        accessKeyId: Redacted.value(key),
        secretAccessKey: Redacted.value(secret),
        service: "s3",
        region: REGION,
        datetime: new Date(nowMillis).toISOString().replace(/[:-]|\.\d{3}/g, ""),
      })
      const signed = await signer.sign()
      // Not signed, because proxies rewrite it. Bytes that are read back are compared uncompressed.
      signed.headers.set("accept-encoding", "identity")
      return signed.headers
    },
    // The error would quote the header.
    catch: () => filebaseFailed("The key of Filebase cannot be sent in a header", true),
  })
