import { createHash } from "node:crypto"
import { canonicalJson } from "../requests/CanonicalJson.ts"

/** Hash of a request, independent of field order, white space and number format. `content` is the parsed body. */
export const requestHash = (url: string, content: unknown): Buffer =>
  createHash("sha256")
    .update(canonicalJson([url, content]))
    .digest()
