import type { ByteRange } from "../IpfsContent.ts"

/** One range of a Range header (RFC 9110, section 14.1.2); `undefined` if it is malformed. */
const specOf = (text: string) => {
  const [, first = "", last = ""] = /^(\d*)-(\d*)$/.exec(text.trim()) ?? []
  if (first === "" && last === "") return undefined
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined
  return { first, last }
}

/**
 * The first satisfiable range of a Range header: servers may answer fewer ranges than requested. A malformed header is ignored.
 */
export const byteRangeOf = (header: string | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | undefined => {
  const list = /^bytes=(.*)$/i.exec(header ?? "")?.[1]
  if (list === undefined) return undefined
  const specs = list.split(",").map(specOf)
  const ranges: Array<ByteRange> = []
  for (const spec of specs) {
    if (spec === undefined) return undefined
    const { first, last } = spec
    const start = first === "" ? Math.max(sizeBytes - Number(last), 0) : Number(first)
    const end = first === "" || last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
    if (end > start) ranges.push({ start, end })
  }
  return ranges[0] ?? "unsatisfiable"
}

/** Whether If-Range allows the Range: only if it is exactly `etag`. */
export const isSameForRange = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag
