/** Bucket names by the rules of S3. */
const BUCKET = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/

export const isBucketName = (text: string): boolean => BUCKET.test(text)

/** What {@link isBucketName} takes, in the words of a fault. */
export const BUCKET_NAME = "a bucket name: 3 to 63 lower-case letters, digits, dots and hyphens"
