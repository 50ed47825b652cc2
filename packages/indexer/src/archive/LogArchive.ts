import { createHash } from "node:crypto"
import { beginningOf, type S3Bucket, s3Client } from "@launch-registry/s3/S3Client"
import type { S3Failed } from "@launch-registry/s3/S3Failed"
import { isMarkup, s3Failed } from "@launch-registry/s3/S3Fault"
import { Context, Duration, Effect, Layer, Schedule } from "effect"

/** Where segments are kept: a bucket of any S3 service. */
export interface ArchiveOptions extends Omit<S3Bucket, "service"> {
  /** One upload or download of an object. */
  readonly attemptMillis?: number
  /** First pause of a read that is tried again; each is twice as long as the one before. */
  readonly retryMillis?: number
  /** How often a read is tried again. */
  readonly retries?: number
}

/** An object as the archive gives it. */
export interface StoredObject {
  readonly bytes: number
  /** In hex. */
  readonly sha256: string
}

/** The archive of the log. Objects are named by their contents, so nothing is ever overwritten by something else. */
export interface LogArchive {
  /** Uploads an object in one attempt; an object of that name has the same bytes already. */
  readonly put: (name: string, body: Uint8Array<ArrayBuffer>, sha256: string) => Effect.Effect<void, S3Failed>
  /** Downloads an object to hash it, up to one byte more than it should have; `undefined` if there is none. */
  readonly readBack: (name: string, bytes: number) => Effect.Effect<StoredObject | undefined, S3Failed>
  /** Bytes of an object; `undefined` if there is none. */
  readonly sizeOf: (name: string) => Effect.Effect<number | undefined, S3Failed>
  /** Some bytes of an object. Tried again while the service may come back, for minutes. */
  readonly range: (name: string, start: number, length: number) => Effect.Effect<Buffer, S3Failed>
}

/** Undefined where no archive is configured. */
export const LogArchive = Context.Reference<LogArchive | undefined>("@launch-registry/indexer/archive/LogArchive", {
  defaultValue: () => undefined,
})

const ATTEMPT_MILLIS = 120_000
const RETRY_MILLIS = 500
/** Some three minutes: a replay of hours is not to end because a service restarts. */
const RETRIES = 11
const PAUSE_MAX = Duration.seconds(30)

const CONTENT_TYPE = "application/zstd"
const OK = 200
const PARTIAL = 206
const NOT_FOUND = 404

const late = s3Failed("S3 did not answer in time", false)
const notS3 = s3Failed("Not S3 but a page answers at the endpoint of the archive", false)
const absent = s3Failed("S3 has no such object, or no such bucket", true, { scope: "object" })

/** A bucket that is not there has no objects, and is no reason to say that one was lost. */
const isBucketAbsent = async (answer: Response): Promise<boolean> =>
  (await beginningOf(answer)).includes("NoSuchBucket")
const noBucket = s3Failed("S3 has no such bucket", true)

/** The archive in a bucket. */
export const logArchive = (options: ArchiveOptions): LogArchive => {
  const { attemptMillis = ATTEMPT_MILLIS, retries = RETRIES, retryMillis = RETRY_MILLIS } = options
  const send = s3Client({ ...options, service: "S3" })
  const inTime = Effect.timeoutOrElse({ duration: attemptMillis, orElse: () => Effect.fail(late) })

  const put = Effect.fn("LogArchive.put")(function* (name: string, body: Uint8Array<ArrayBuffer>, sha256: string) {
    const request = { method: "PUT", object: name, body, sha256, headers: { "content-type": CONTENT_TYPE } } as const
    const isPage = yield* inTime(
      send(request, async (answer) => {
        await beginningOf(answer)
        return isMarkup(answer.headers)
      }),
    )
    if (isPage) return yield* notS3
  })

  const readBack = Effect.fn("LogArchive.readBack")(function* (name: string, bytes: number) {
    const read = async (answer: Response) => {
      if (answer.status === NOT_FOUND) return (await isBucketAbsent(answer)) ? "no bucket" : undefined
      const hash = createHash("sha256")
      let length = 0
      for await (const piece of answer.body ?? []) {
        hash.update(piece)
        length += piece.length
        if (length > bytes) break
      }
      return { bytes: length, sha256: hash.digest("hex") }
    }
    const stored = yield* inTime(send({ method: "GET", object: name }, read, [NOT_FOUND]))
    return stored === "no bucket" ? yield* noBucket : stored
  })

  const sizeOf = Effect.fn("LogArchive.sizeOf")(function* (name: string) {
    const read = async ({ headers, status }: Response) =>
      status === OK ? Number(headers.get("content-length") ?? Number.NaN) : undefined
    return yield* inTime(send({ method: "HEAD", object: name }, read, [NOT_FOUND]))
  })

  const rangeOnce = Effect.fnUntraced(function* (name: string, start: number, length: number) {
    const headers = { range: `bytes=${start}-${start + length - 1}` }
    const bytes = yield* inTime(
      send(
        { method: "GET", object: name, headers },
        async (answer) => {
          if (answer.status === NOT_FOUND) return (await isBucketAbsent(answer)) ? "no bucket" : "absent"
          if (answer.status !== PARTIAL) return "whole"
          const pieces: Array<Uint8Array> = []
          let read = 0
          for await (const piece of answer.body ?? []) {
            pieces.push(piece)
            read += piece.length
            if (read > length) break
          }
          return Buffer.concat(pieces)
        },
        [NOT_FOUND],
      ),
    )
    if (bytes === "no bucket") return yield* noBucket
    if (bytes === "absent") return yield* absent
    if (bytes === "whole") return yield* s3Failed("S3 does not answer with a part of an object", true)
    if (bytes.length !== length) return yield* s3Failed(`S3 answered ${bytes.length} bytes instead of ${length}`, false)
    return bytes
  })

  const again = {
    schedule: Schedule.exponential(retryMillis).pipe(
      Schedule.modifyDelay(({ duration }) => Effect.succeed(Duration.min(duration, PAUSE_MAX))),
    ),
    times: retries,
    while: ({ isPermanent }: S3Failed) => !isPermanent,
  }
  const range = Effect.fn("LogArchive.range")((name: string, start: number, length: number) =>
    Effect.retry(rangeOnce(name, start, length), again),
  )

  return { put, readBack, sizeOf, range }
}

export const layer = (options: ArchiveOptions) => Layer.succeed(LogArchive, logArchive(options))
