/** A position in the write-ahead log (LSN), in bytes. */
export type LogPosition = bigint

/** Of PostgreSQL's `pg_lsn` in text, such as `16/B374D848`. */
export const positionOfLsn = (lsn: string): LogPosition => {
  const [high = "", low = ""] = lsn.split("/")
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** For clients, who send it back as it is: 16 digits. */
export const encodePosition = (position: LogPosition): string => position.toString(16).padStart(16, "0")

/** Undefined for text that is none. */
export const decodePosition = (text: string): LogPosition | undefined =>
  /^[0-9a-f]{16}$/.test(text) ? BigInt(`0x${text}`) : undefined
