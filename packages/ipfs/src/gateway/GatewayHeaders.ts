import { contentDisposition } from "./ContentDisposition.ts"

/**
 * CORS settings of every `/ipfs` URL, by the path gateway specification; older clients look for the last two exposed headers.
 */
export const GATEWAY_CORS = {
  allowedMethods: ["GET", "HEAD", "OPTIONS"],
  allowedHeaders: ["Content-Type", "Range", "User-Agent", "X-Requested-With"],
  exposedHeaders: [
    "Content-Range",
    "Content-Length",
    "Content-Disposition",
    "Content-Location",
    "Accept-Ranges",
    "ETag",
    "X-Ipfs-Path",
    "X-Ipfs-Roots",
    "X-Chunked-Output",
    "X-Stream-Output",
  ],
} as const

/**
 * Headers of every success. Content is immutable. It is untrusted and on our origin, so it is sandboxed, may load nothing, and its
 * type is not sniffed.
 */
const EVERY = {
  "cache-control": "public, max-age=29030400, immutable",
  vary: "Accept",
  "x-content-type-options": "nosniff",
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
  "access-control-allow-methods": GATEWAY_CORS.allowedMethods.join(", "),
  "access-control-allow-headers": GATEWAY_CORS.allowedHeaders.join(", "),
}

/** What the headers of an answer depend on. */
export interface Answered {
  /** The CID in version 1 and base32. */
  readonly key: string
  /** The path of the request. */
  readonly path: string
  readonly etag: string
  readonly contentType: string
  readonly ranges: "bytes" | "none"
}

export const gatewayHeaders = ({ contentType, etag, key, path, ranges }: Answered): Record<string, string> => ({
  ...EVERY,
  etag,
  "x-ipfs-path": path,
  "x-ipfs-roots": key,
  "accept-ranges": ranges,
  "content-type": contentType,
})

/** For blocks and CARs, which browsers save: a file name, and the URL that distinguishes them from the file. */
export const verifiableHeaders = (
  { path, query }: { readonly path: string; readonly query: URLSearchParams },
  ofFormat: Readonly<Record<string, string>>,
  fileName: string,
): Record<string, string> => {
  const located = new URLSearchParams(query)
  for (const [name, value] of Object.entries(ofFormat)) located.set(name, value)
  return {
    "content-disposition": contentDisposition("attachment", query.get("filename") || fileName),
    "content-location": `${path}?${located.toString()}`,
  }
}

/** For a file: only if the query has `download` or `filename`. */
export const fileDisposition = (query: URLSearchParams): Record<string, string> => {
  const download = query.get("download")
  const fileName = query.get("filename")
  if (download === null && !fileName) return {}
  return { "content-disposition": contentDisposition(download === "true" ? "attachment" : "inline", fileName ?? "") }
}
