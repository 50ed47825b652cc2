import type { ByteRange } from "../IpfsContent.ts"

/** One of the ranges that a Range header lists (RFC 9110, section 14.1.2); `undefined` for what is none. */
const specOf = (text: string) => {
  const [, first = "", last = ""] = /^(\d*)-(\d*)$/.exec(text.trim()) ?? []
  if (first === "" && last === "") return undefined
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined
  return { first, last }
}

/**
 * What a Range header asks for of `sizeBytes`: the first satisfiable one of its ranges. Servers may answer fewer ranges than
 * were asked for, and who asks for several has to look at Content-Range. A header of another form is ignored.
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

/** Whether an If-Range header leaves a Range as it is: only for the very representation that `etag` names. */
export const isSameForRange = (ifRange: string | undefined, etag: string): boolean =>
  ifRange === undefined || ifRange.trim() === etag
