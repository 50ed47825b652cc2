import { Redacted } from "effect"
import { filebaseBackend, type FilebaseOptions } from "../../src/filebase/FilebaseBackend.ts"
import { BUCKET, CREDENTIALS } from "./FilebaseStandIn.ts"

/** A backend with the key of the stand-in, and short waits for imports. */
export const backendAt = ({ url }: { readonly url: string }, options: Partial<FilebaseOptions> = {}) =>
  filebaseBackend({
    endpoint: url,
    bucket: BUCKET,
    key: Redacted.make(CREDENTIALS.key),
    secret: Redacted.make(CREDENTIALS.secret),
    waitsMillis: [1, 1],
    ...options,
  })
