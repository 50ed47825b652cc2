import { isServiceUrl, SERVICE_URL } from "@launch-registry/domain/text/ServiceUrl"
import { BUCKET_NAME, isBucketName } from "@launch-registry/s3/BucketName"
import { Redacted } from "effect"
import type { ArchiveOptions } from "./LogArchive.ts"

/** Settings of the archive, for a service and for commands. */
export const ARCHIVE_NAMES = [
  ...(["INBOX_ARCHIVE_BUCKET", "INBOX_ARCHIVE_ENDPOINT", "INBOX_ARCHIVE_REGION", "INBOX_ARCHIVE_PREFIX"] as const),
  ...(["INBOX_ARCHIVE_KEY", "INBOX_ARCHIVE_SECRET", "INBOX_ARCHIVE_KEEP_DAYS"] as const),
] as const

type Values = Readonly<Record<string, string | undefined>>

const PREFIX = "inbox/"
const REGION = "us-east-1"
/** Of the characters that every S3 service takes as they are. */
const PREFIX_TEXT = /^([A-Za-z0-9!_.*'()-]+\/)*[A-Za-z0-9!_.*'()-]*$/
const REGION_TEXT = /^[a-z0-9-]{1,40}$/
const PREFIX_LENGTH_MAX = 200

/** The archive among `values`; undefined without one. Faults are reported as name and expectation. */
export const readArchiveSettings = (
  values: Values,
  fault: (name: string, expected: string) => void,
): ArchiveOptions | undefined => {
  const bucket = values.INBOX_ARCHIVE_BUCKET
  if (bucket === undefined) {
    const other = ARCHIVE_NAMES.find((name) => values[name] !== undefined)
    if (other !== undefined) fault("INBOX_ARCHIVE_BUCKET", `a bucket, because ${other} is set`)
    return undefined
  }
  const demand = (name: (typeof ARCHIVE_NAMES)[number]): string => {
    const value = values[name]
    if (value === undefined) fault(name, "a value with INBOX_ARCHIVE_BUCKET")
    return value ?? ""
  }
  if (!isBucketName(bucket)) fault("INBOX_ARCHIVE_BUCKET", BUCKET_NAME)
  const endpoint = demand("INBOX_ARCHIVE_ENDPOINT").replace(/\/+$/, "")
  if (endpoint !== "" && !isServiceUrl(endpoint)) fault("INBOX_ARCHIVE_ENDPOINT", SERVICE_URL)
  const region = values.INBOX_ARCHIVE_REGION ?? REGION
  if (!REGION_TEXT.test(region)) fault("INBOX_ARCHIVE_REGION", "a region, such as us-east-1, or auto")
  const prefix = values.INBOX_ARCHIVE_PREFIX ?? PREFIX
  if (!PREFIX_TEXT.test(prefix) || prefix.length > PREFIX_LENGTH_MAX || /(^|\/)\.{1,2}(\/|$)/.test(prefix))
    fault("INBOX_ARCHIVE_PREFIX", "the beginning of object names, such as inbox/: letters, digits, hyphens and slashes")
  return {
    ...{ bucket, endpoint, region, prefix },
    key: Redacted.make(demand("INBOX_ARCHIVE_KEY")),
    secret: Redacted.make(demand("INBOX_ARCHIVE_SECRET")),
  }
}
