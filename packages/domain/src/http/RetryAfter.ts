/** Milliseconds of a `Retry-After` header, in seconds or as a date (RFC 9110, section 10.2.3). */
export const retryAfterMillis = (header: string | null | undefined, nowMillis: number): number | undefined => {
  const text = header?.trim() ?? ""
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000
  // Date.parse takes "1.5" for the fifth of January; HTTP dates have letters.
  const atMillis = /[A-Za-z]/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMillis) ? undefined : Math.max(atMillis - nowMillis, 0)
}
