/** Bytes from `start` up to, not including, `end`. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/**
 * The range of a Range header with one range (RFC 9110, section 14.1.2). Other headers are ignored, which is allowed: the answer is
 * then the whole.
 */
export const byteRangeOf = (header: string | undefined, sizeBytes: number): ByteRange | "unsatisfiable" | undefined => {
  const [, first = "", last = ""] = /^bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "") ?? []
  if (first === "" && last === "") return undefined
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined
  const start = first === "" ? Math.max(sizeBytes - Number(last), 0) : Number(first)
  const end = first === "" || last === "" ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  return end > start ? { start, end } : "unsatisfiable"
}
