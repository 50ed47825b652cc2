import { cleanFileName } from "../content/FileName.ts"

/** CORS settings of every `/ipfs` URL, by the path gateway specification. */
export const GATEWAY_CORS = {
  allowedMethods: ["GET", "HEAD", "OPTIONS"],
  allowedHeaders: ["Content-Type", "Range", "User-Agent", "X-Requested-With"],
  exposedHeaders: [
    "Content-Range",
    "Content-Length",
    "Content-Disposition",
    "Accept-Ranges",
    "ETag",
    "X-Ipfs-Path",
    "X-Ipfs-Roots",
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

/** What clients that verify may request. */
export const CONTENT_TYPES = {
  raw: "application/vnd.ipld.raw",
  car: "application/vnd.ipld.car",
}

/** `cid` as the request wrote it; `key` in version 1 and base32. */
export const contentHeaders = (cid: string, key: string, etag: string, contentType: string) => ({
  ...EVERY,
  etag,
  "x-ipfs-path": `/ipfs/${cid}`,
  "x-ipfs-roots": key,
  "content-type": contentType,
})

/** For blocks and CARs, which browsers save. */
export const savedAs = (query: URLSearchParams, fileName: string) => ({
  "content-disposition": disposition("attachment", query.get("filename") || fileName),
})

/** For a file: only if the query has `download` or `filename`. */
export const fileDisposition = (query: URLSearchParams): Record<string, string> => {
  const download = query.get("download")
  const fileName = query.get("filename")
  if (download === null && !fileName) return {}
  return { "content-disposition": disposition(download === "true" ? "attachment" : "inline", fileName ?? "") }
}

/** `filename*` carries what is not ASCII (RFC 8187), `filename` is for agents that do not know it. */
const disposition = (kind: "inline" | "attachment", fileName: string): string => {
  const name = cleanFileName(fileName)
  if (name === undefined) return kind
  const ascii = name.replace(/[^\x20-\x7e]/gu, "_")
  const plain = `${kind}; filename="${ascii}"`
  const encoded = encodeURIComponent(name).replace(/['()*!]/g, (char) => `%${char.charCodeAt(0).toString(16)}`)
  return ascii === name ? plain : `${plain}; filename*=UTF-8''${encoded}`
}
