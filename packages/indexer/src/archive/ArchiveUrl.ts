import { isServiceUrl } from "@launch-registry/domain/text/ServiceUrl"
import { isBucketName } from "@launch-registry/s3/BucketName"
import { Redacted } from "effect"
import type { ArchiveOptions } from "./LogArchive.ts"

/** What {@link parseArchiveUrl} takes, in the words of a fault. */
export const ARCHIVE_URL =
  "a bucket of an S3 service as https://key:secret@host/bucket?region=us-east-1, with key and secret percent-encoded (http:// only for loopback)"

const REGION = "us-east-1"
const REGION_TEXT = /^[a-z0-9-]{1,40}$/

/** The bucket of a URL, whose path ends with it; `undefined` where the text is no such URL. */
export const parseArchiveUrl = (text: string): ArchiveOptions | undefined => {
  const url = URL.parse(text)
  if (url === null || url.hash !== "" || [...url.searchParams.keys()].some((name) => name !== "region"))
    return undefined
  const [key, secret] = [decoded(url.username), decoded(url.password)]
  const [, path, bucket] = /^(.*)\/([^/]+)\/?$/.exec(url.pathname) ?? []
  const endpoint = `${url.origin}${path ?? ""}`
  const region = url.searchParams.get("region") ?? REGION
  if (key === "" || secret === "" || bucket === undefined) return undefined
  if (!isServiceUrl(endpoint) || !isBucketName(bucket) || !REGION_TEXT.test(region)) return undefined
  return { bucket, endpoint, region, key: Redacted.make(key), secret: Redacted.make(secret) }
}

/** Empty where it is not percent-encoded. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}
