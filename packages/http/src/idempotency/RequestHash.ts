import { createHash } from "node:crypto"
import { canonicalJson } from "../requests/CanonicalJson.ts"

/**
 * The same for the same request: whatever the order of its fields, the white space between them and the way its numbers are
 * written. `content` is what was read of the body.
 */
export const requestHash = (url: string, content: unknown): Buffer =>
  createHash("sha256")
    .update(canonicalJson([url, content]))
    .digest()
